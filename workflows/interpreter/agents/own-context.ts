import type { ArtifactRef } from '../../../plan/artifact';
import type { LoopRecord } from '../containers/container-record';
import type { StepRecord } from '../state/record';
import type { RunState } from '../state/state';

/**
 * The owner's one context of a run (`action: self`), by its heads: what steps have left that lies within nothing a later one has left. The
 * run goes on from its heads; a rerun from those of the steps that it carries.
 */
export function takeUpContext(state: RunState, record: StepRecord, left: ArtifactRef): void {
  const given = (record.context ?? []).map(({ sha256 }) => sha256);
  // What others have left meanwhile stands beside it.
  state.ownContext = [...without(state.ownContext ?? [], given), left];
  record.leftContext = left;
  if (given.length > 0) record.contextWithin = given;
  delete record.context;
}

/** Keeps what the steps of an iteration have left, which leave no record. */
export function keepContexts(loop: LoopRecord, ended: readonly StepRecord[]): void {
  const left = ended.flatMap(contextsLeft);
  if (left.length === 0) return;
  const within = ended.flatMap(({ contextWithin }) => contextWithin ?? []);
  loop.leftContexts = without([...(loop.leftContexts ?? []), ...left], within);
}

/** What the owner has said in some steps, the oldest first. Where one lies within another it is read once. */
export function contextOf(records: readonly StepRecord[]): ArtifactRef[] {
  const endOf = ({ endedAtMs }: StepRecord) => endedAtMs ?? Number.MAX_SAFE_INTEGER;
  return records.toSorted((a, b) => endOf(a) - endOf(b)).flatMap(contextsLeft);
}

function contextsLeft({ leftContext, loop }: StepRecord): ArtifactRef[] {
  return [...(loop?.leftContexts ?? []), ...(leftContext ? [leftContext] : [])];
}

function without(refs: readonly ArtifactRef[], digests: readonly string[]): ArtifactRef[] {
  return refs.filter(({ sha256 }) => !digests.includes(sha256));
}
