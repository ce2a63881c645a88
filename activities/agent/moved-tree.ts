import { isJsonObject, type Json } from '../../plan/text/json';
import { asJson } from '../../records/stored-json';
import { repliesIn } from '../../records/transcripts/turn';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';
import type { AttemptScope, MovedFolder } from './agent-session';
import type { Transcript } from './transcript';

/** A line of the log that says in which worktree a call has worked, written when that is another one. */
interface TreeUse {
  epoch: number;
  /** When it was made, and from which commit. */
  createdAt: string;
  commit: string;
  /** How often its agent had replied by then. */
  replies: number;
}

/**
 * Learns whether the worktree of a call was made again after its agent had begun, because its host or that host's disk was lost. What the
 * agent then says of its work, or has said, counts only once it knows (`mustHear`).
 */
export async function movedTree(
  { toolbox, call, tree, broken, secrets }: Pick<AttemptScope, 'toolbox' | 'call' | 'tree' | 'broken' | 'secrets'>,
  transcript: Pick<Transcript, 'turns'>,
): Promise<MovedFolder | undefined> {
  if (!tree) return undefined;
  const own = await usesOf(toolbox, call, call.id);
  const before = own.length === 0 && broken !== undefined ? await usesOf(toolbox, call, broken) : own;
  const { epoch, createdAt, commit } = tree;
  const last = before.at(-1);
  const isSame = last?.epoch === epoch && last.createdAt === createdAt;
  const added = isSame ? [] : [{ epoch, createdAt, commit, replies: repliesIn(transcript.turns()) }];
  const uses: TreeUse[] = [...before, ...added];
  const unwritten = own === before ? added : uses;
  if (unwritten.length > 0) await toolbox.ledger.append(call.key, treeLog(call.id), ...unwritten.map(asJson));
  // Nothing is lost of an agent that had not replied yet.
  const notes = uses.slice(1).flatMap((use) => (use.replies > 0 ? [secrets.mask(noteOf(use))] : []));
  const note = notes.at(-1);
  return note === undefined ? undefined : { note, mustHear: notes, journal: [] };
}

/** The time makes each of several losses news. */
function noteOf({ createdAt, commit }: TreeUse): string {
  const what = `Your worktree was lost with its machine or its disk. It was made again, on ${createdAt}, at commit ${commit}`;
  return `${what}: changes that you had not committed before are lost. Look at the files before you go on, and do again what is missing.`;
}

function treeLog(call: string): string {
  return `${call}/tree`;
}

async function usesOf({ ledger }: Pick<Toolbox, 'ledger'>, { key }: ActivityCall, call: string): Promise<TreeUse[]> {
  return (await ledger.lines(key, treeLog(call))).flatMap(treeUse);
}

function treeUse(line: Json): TreeUse[] {
  if (!isJsonObject(line)) return [];
  const { epoch, createdAt, commit, replies } = line;
  const isUse = typeof epoch === 'number' && typeof createdAt === 'string' && typeof commit === 'string' && typeof replies === 'number';
  return isUse ? [{ epoch, createdAt, commit, replies }] : [];
}
