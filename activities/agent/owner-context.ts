import type { ArtifactRef } from '../../plan/run/artifact';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { ArtifactStore } from '../../records/artifact-store';
import { asJson, getJson } from '../../records/stored-json';
import { isPrompt, type Turn } from '../../records/transcripts/turn';

/**
 * The owner's one context of a run (`action: self`), as artifacts: each of its steps adds its conversation to the earlier one. Steps that
 * run in parallel do not see each other; a later step sees both.
 */
interface Episode {
  /** The episodes that it was given. */
  after: ArtifactRef[];
  turns: Turn[];
}

/** The conversation of the episodes and of their predecessors, each once, the oldest first. */
export async function readOwnerContext(artifacts: ArtifactStore, heads: readonly ArtifactRef[]): Promise<Turn[]> {
  const turns: Turn[] = [];
  const seen = new Set<string>();
  // Without recursion: a loop of thousands of steps is one chain.
  const open = heads.toReversed().map((ref) => ({ ref, read: undefined as Episode | undefined }));
  for (let top = open.at(-1); top; top = open.at(-1)) {
    if (top.read || seen.has(top.ref.sha256)) {
      open.pop();
      if (top.read) turns.push(...top.read.turns);
      continue;
    }
    seen.add(top.ref.sha256);
    top.read = await getJson<Episode>(artifacts, top.ref, 'the context of an agent');
    // A summary replaces everything before it.
    if (top.read.turns.some(({ stop }) => stop === 'condensed')) continue;
    open.push(...top.read.after.toReversed().map((ref) => ({ ref, read: undefined })));
  }
  return turns;
}

/** Adds the new conversation to the context. Its cost has been charged already. */
export async function addToOwnerContext(
  artifacts: ArtifactStore,
  after: readonly ArtifactRef[],
  said: readonly Turn[],
  name: string,
): Promise<Pick<StepOutput, 'context'>> {
  return await kept(artifacts, { after: [...after], turns: worthKeeping(said) }, name);
}

/** The same for a program, which makes no summaries: of the earlier conversation only the last requests stay. */
export async function addToRecentContext(
  artifacts: ArtifactStore,
  after: readonly ArtifactRef[],
  said: readonly Turn[],
  name: string,
): Promise<Pick<StepOutput, 'context'>> {
  const before = await readOwnerContext(artifacts, after);
  return await kept(artifacts, { after: [], turns: [...lastRequests(before), ...worthKeeping(said)] }, name);
}

const RECENT_CHARACTERS = 100_000;

/** Whole requests, from the last one back, as long as all of them fit. */
function lastRequests(turns: readonly Turn[]): Turn[] {
  let from = turns.length;
  let used = 0;
  for (let at = turns.length - 1; at >= 0; at--) {
    const turn = turns[at];
    if (!turn) break;
    used += turn.text.length + (turn.calls ? JSON.stringify(turn.calls).length : 0);
    if (used > RECENT_CHARACTERS) break;
    if (isPrompt(turn)) from = at;
  }
  return turns.slice(from);
}

function worthKeeping(said: readonly Turn[]): Turn[] {
  return said.filter(({ stop }) => stop !== 'broken').map(({ usage: _charged, model: _asked, ...turn }) => turn);
}

async function kept(artifacts: ArtifactStore, episode: Episode, name: string): Promise<Pick<StepOutput, 'context'>> {
  const as = { mediaType: 'application/json', name: `${name}.context.json` };
  return { context: await artifacts.put(JSON.stringify(asJson(episode)), as) };
}
