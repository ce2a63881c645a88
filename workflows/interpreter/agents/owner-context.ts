import { asksAgent } from '../../../kinds/questions';
import { defined } from '../../../plan/defined';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { ControlStep } from '../../../plan/steps/control';
import type { StepOutput } from '../../../plan/steps/step-activity';
import type { LoopRecord } from '../containers/container-record';
import { agentStateOf, loopStateOf, openKindState, roundsOf } from '../state/kind-state';
import type { InterpreterState } from '../state/state';
import type { StepRecord } from '../state/step-record';

/**
 * The owner's one context of a run (`action: self`), by its heads: contexts of steps that no later one contains. The run continues from its
 * heads; a rerun from those of the steps that it carries. A member's context is its own, and its board's.
 */
export function keepContext(
  state: InterpreterState,
  record: StepRecord,
  { context: left, workEnd: end, short, report }: Pick<StepOutput, 'context' | 'workEnd' | 'short' | 'report'>,
): void {
  const kept = agentStateOf(record);
  if (!kept) return;
  if (record.brief?.member) {
    kept.memberTurn = defined({ context: left, end, short, report });
    return;
  }
  if (!left) return;
  const given = (kept.context ?? []).map(({ sha256 }) => sha256);
  // Contexts that other steps have left meanwhile stay heads too.
  state.ownContext = [...without(state.ownContext ?? [], given), left];
  kept.leftContext = left;
  if (given.length > 0) kept.contextWithin = given;
}

/** What a member has said in a try that failed. */
export function keepFailedContext(record: StepRecord, step: ControlStep, context: ArtifactRef | undefined): void {
  if (context && record.brief?.member && asksAgent(step)) openKindState(record, step.kind).memberTurn = { context };
}

/** Keeps the contexts of an iteration's steps, which leave no record. */
export function keepOwnerContexts(loop: Pick<LoopRecord, 'leftContexts'>, ended: readonly StepRecord[]): void {
  const left = ended.flatMap(contextsLeft);
  if (left.length === 0) return;
  const within = ended.flatMap((record) => agentStateOf(record)?.contextWithin ?? []);
  loop.leftContexts = without([...(loop.leftContexts ?? []), ...left], within);
}

/** The owner's contexts from some steps, the oldest first. A context that is within another is read once. */
export function ownerContextOf(records: readonly StepRecord[]): ArtifactRef[] {
  const endOf = ({ times }: StepRecord) => times?.endedAtMs ?? Number.MAX_SAFE_INTEGER;
  return records.toSorted((a, b) => endOf(a) - endOf(b)).flatMap(contextsLeft);
}

function contextsLeft(record: StepRecord): ArtifactRef[] {
  const left = agentStateOf(record)?.leftContext;
  return [...((loopStateOf(record) ?? roundsOf(record))?.leftContexts ?? []), ...(left ? [left] : [])];
}

function without(refs: readonly ArtifactRef[], digests: readonly string[]): ArtifactRef[] {
  return refs.filter(({ sha256 }) => !digests.includes(sha256));
}
