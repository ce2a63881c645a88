import { traitsOf } from '../../kinds/traits';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { type Address, formatPath, shortAddress } from '../../plan/steps/address';
import { isJsonObject, type Json } from '../../plan/text/json';
import { type ActivityCall, requireAddress } from '../activity-call';
import type { AgentAdapter } from '../agent-port';
import type { LoadedRun } from '../run/loaded-run';
import type { Toolbox } from '../toolbox';
import { SILENT_MS } from '../worktree-port';
import type { AttemptScope, MovedFolder } from './agent-session';
import type { AgentTask } from './agent-task';
import { stampedEvent } from './journal-events';

/** A line of the log that says where a step's agents have worked, written when that changes. */
export interface FolderUse {
  /** Whose folders it is among (`Toolbox.folderHost`). */
  host: string;
  /** The call that began there. */
  call: string;
  at: string;
  /** How many uses its writer knew. Several hosts may write at once: the first one counts, and the others begin nothing. */
  after: number;
}

/**
 * Notes where a try works, and learns whether the one before worked elsewhere. Nothing is noted of agents that use no folder, of folders
 * that steps name, and where all workers have the same folders. Fails with `folder.elsewhere` if another host that is alive has noted
 * itself meanwhile.
 *
 * @param known what `requireFolderHere` has read for this call
 */
export async function movedFolder(
  scope: AttemptScope,
  task: AgentTask,
  { usesFolder }: AgentAdapter,
  known: readonly FolderUse[],
): Promise<MovedFolder | undefined> {
  const { toolbox, call, run, address, tree, broken } = scope;
  const { folderHost } = toolbox;
  const works = usesFolder || task.agent.tools?.length || task.files?.length;
  if (!folderHost || tree || task.cwd !== undefined || !works) return undefined;
  const host = await folderHost.host();
  let uses = known;
  while (uses.at(-1)?.host !== host) {
    const { at } = stampedEvent(scope, { kind: 'folder', step: shortAddress(address), event: 'moved', host });
    await toolbox.ledger.append(call.key, folderLog(run, address), { host, call: call.id, at, after: uses.length });
    uses = await requireFolderHere(toolbox, call, run);
  }
  const moves = uses.flatMap((use, n) => {
    const from = uses[n - 1]?.host;
    return from === undefined || from === use.host ? [] : [{ ...use, from }];
  });
  const last = moves.at(-1);
  const own = moves.filter((move) => move.call === call.id);
  const isNews = last !== undefined && last.host === host && (last.call === call.id || last.call === broken);
  return {
    ...defined({ note: isNews ? NOTE : undefined }),
    journal: own.map(({ at, host, from }) => ({ kind: 'folder', step: shortAddress(address), event: 'moved', host, from, at })),
  };
}

/**
 * A step stays with its files while their host lives. Fails with `folder.elsewhere` (details `{host, silentMs}`) if its agents have last
 * worked in its folder on another host that is alive: the run then gives the call to that host. Nothing has been paid for.
 *
 * @returns where they have worked
 */
export async function requireFolderHere(toolbox: Toolbox, call: ActivityCall, run: LoadedRun): Promise<readonly FolderUse[]> {
  const { folderHost } = toolbox;
  if (!folderHost) return [];
  const address = requireAddress(call);
  const uses = await folderUses(toolbox, call, folderLog(run, address));
  const last = uses.at(-1);
  if (!last || last.host === (await folderHost.host()) || !(await folderHost.isAlive(last.host))) return uses;
  const details = { host: last.host, silentMs: folderHost.silentMs ?? SILENT_MS };
  throw new ThermidorFailure(
    'folder.elsewhere',
    `the files of "${shortAddress(address)}" are on the host ${last.host}, which is alive`,
    details,
  );
}

function folderLog(run: LoadedRun, address: Address): string {
  return `${formatPath(folderAddress(run, address).path)}/folder`;
}

async function folderUses({ ledger }: Pick<Toolbox, 'ledger'>, { key }: ActivityCall, log: string): Promise<FolderUse[]> {
  const uses: FolderUse[] = [];
  for (const use of (await ledger.lines(key, log)).flatMap(folderUse)) if (use.after === uses.length) uses.push(use);
  return uses;
}

/** It names no host: the same words in every try keep a prompt the same. */
const NOTE =
  'This step was worked on before, on another machine. The files that were written there, by you or by an earlier try, are not in your ' +
  'folder: it is empty, or has older files. Look at the files before you go on, and write again what you need.';

/** Where a step gets its folder: of its own, or that of the step whose part it is. */
export function folderAddress({ steps }: LoadedRun, address: Address): Address {
  const { path } = address;
  const container = path.at(-2);
  const step = container && steps.get(container.id);
  if (!step || !traitsOf(step.kind).sharesFolder) return address;
  return { ...address, path: [...path.slice(0, -2), { id: step.id }] };
}

function folderUse(line: Json): FolderUse[] {
  if (!isJsonObject(line)) return [];
  const { host, call, at, after } = line;
  const isUse = typeof host === 'string' && typeof call === 'string' && typeof at === 'string' && typeof after === 'number';
  return isUse ? [{ host, call, at, after }] : [];
}
