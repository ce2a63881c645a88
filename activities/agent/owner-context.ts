import type { ArtifactRef } from '../../plan/run/artifact';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { ArtifactStore } from '../../records/artifact-store';
import { asJson, getJson } from '../../records/stored-json';
import type { Turn } from '../../records/transcripts/turn';

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
  const turns = said.filter(({ stop }) => stop !== 'broken').map(({ usage: _charged, model: _asked, ...turn }) => turn);
  const episode: Episode = { after: [...after], turns };
  const as = { mediaType: 'application/json', name: `${name}.context.json` };
  return { context: await artifacts.put(JSON.stringify(asJson(episode)), as) };
}
