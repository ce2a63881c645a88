import { defined } from '../../../plan/defined';
import type { StepEnd } from '../../../plan/run/step-state';
import { Cancelled } from '../../run-context';
import { settleStepBudget } from '../budget/settle-step';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { isSuperseded, type Place } from '../scheduling/place';
import { closeRecord } from '../state/forget';
import { chainResultFor } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';
import { noteLeftByParts } from '../worktrees/left-by-parts';
import { settledWakeKey } from './pending-inputs';
import { isoTime } from './work-times';

/** Closes a step's round. */
export function settle(it: Interpreter, place: Place, state: StepEnd, reason?: string, atMs?: number): 'settled' {
  if (isSuperseded(place)) throw new Cancelled();
  const { run } = it;
  const record = run.record(place.path);
  record.state = state;
  const endedAtMs = atMs ?? endInChain(record);
  record.times = { ...record.times, endedAtMs: endedAtMs ?? run.ctx.now() };
  if (state === 'done') noteLeftByParts(run, place);
  noteApprovalUse(run, place, record);
  settleStepBudget(it, place.path);
  closeRecord(record);
  run.index.settled(place.path, record);
  run.journal.add({
    kind: 'step',
    step: run.name(place.path),
    state,
    ...defined({
      reason,
      error: record.error && { code: record.error.code, message: record.error.message },
      artifact: record.output?.artifact,
      at: endedAtMs === undefined ? undefined : isoTime(endedAtMs),
    }),
  });
  it.changed();
  if (run.journal.pageIsFull()) run.background(() => run.journal.flush());
  it.slots.give(place.path);
  run.wake(settledWakeKey(place.path));
  it.scheduler(place).settled(place);
  it.pump();
  return 'settled';
}

/** A failure in a chain is over when it happened, and not when its step's turn has come. */
function endInChain(record: StepRecord): number | undefined {
  const fetched = chainResultFor(record);
  return fetched && 'output' in fetched ? fetched.endedAtMs : undefined;
}

/** Doing the step's own action uses up its approval. Approvals that its agent's tools used are recorded already. */
export function noteApprovalUse(run: Run, { step, path }: Place, { state, attempt, error }: StepRecord): void {
  const [own] = attempt?.approvals ?? [];
  if (step.category === undefined || !own?.approved || state === 'skipped' || error?.code === 'approval.missing') return;
  const { category, contentSha256, id, by } = own;
  run.journal.add({
    kind: 'approval',
    step: run.name(path),
    event: 'used',
    category,
    contentSha256,
    id,
    ...defined({ by }),
  });
}
