import type { StepState } from '../../plan/status';
import { Cancelled } from '../run-context';
import type { Interpreter } from './interpreter';
import { isOver, type Place } from './place';
import type { Run } from './run';
import type { StepRecord } from './state/record';
import { settledSleeper } from './unsettled-inputs';

/** `settled`: the step's round is over, sent back, or the run has ended. `again`: the step is to be tried once more. */
export type StepResult = 'settled' | 'again';

/** Closes a step's round. */
export function settle(
  it: Interpreter,
  place: Place,
  state: Extract<StepState, 'done' | 'skipped' | 'failed'>,
  reason?: string,
): 'settled' {
  if (isOver(place)) throw new Cancelled();
  const { run } = it;
  const record = run.record(place.path);
  record.state = state;
  record.endedAtMs = run.ctx.now();
  if (state === 'done') delete record.error;
  delete record.resumeAtMs;
  delete record.retryAtMs;
  delete record.deadlineMs;
  delete record.note;
  delete record.messages;
  delete record.fetched;
  delete record.halted;
  delete record.spawned;
  delete record.errands;
  delete record.awaits;
  delete record.journalled;
  noteUse(run, place, record);
  delete record.approvals;
  delete record.escalated;
  run.journal.add({
    kind: 'step',
    step: run.name(place.path),
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(record.error ? { error: { code: record.error.code, message: record.error.message } } : {}),
    ...(record.artifact ? { artifact: record.artifact } : {}),
  });
  it.changed();
  if (run.journal.pageIsFull()) run.background(() => run.journal.flush());
  it.slots.give(place.path);
  run.wake(settledSleeper(place.path));
  it.scheduler(place).settled(place);
  it.pump();
  return 'settled';
}

/** A yes to the step's own action is used up by doing it. What its agent's tools used stands there already. */
export function noteUse(run: Run, { step, path }: Place, { state, approvals, error }: StepRecord): void {
  const [own] = approvals ?? [];
  if (step.category === undefined || !own?.approved || state === 'skipped' || error?.code === 'approval.missing') return;
  const { category, contentSha256, id, by } = own;
  run.journal.add({
    kind: 'approval',
    step: run.name(path),
    event: 'used',
    category,
    contentSha256,
    id,
    ...(by === undefined ? {} : { by }),
  });
}
