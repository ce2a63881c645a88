import type { ControlStep } from '../../plan/control';
import type { StepState } from '../../plan/status';
import type { Interpreter } from './interpreter';

/** `settled`: the step's round is over, sent back, or the run has ended. `again`: the step is to be tried once more. */
export type StepResult = 'settled' | 'again';

/** Closes a step's round. */
export function settle(
  it: Interpreter,
  step: ControlStep,
  state: Extract<StepState, 'done' | 'skipped' | 'failed'>,
  reason?: string,
): 'settled' {
  const { run } = it;
  const record = run.record(step.id);
  record.state = state;
  record.endedAtMs = run.ctx.now();
  if (state === 'done') delete record.error;
  delete record.resumeAtMs;
  delete record.note;
  delete record.messages;
  run.journal.add({
    kind: 'step',
    step: run.name(step.id),
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(record.error ? { error: { code: record.error.code, message: record.error.message } } : {}),
    ...(record.artifact ? { artifact: record.artifact } : {}),
  });
  it.changed();
  if (run.journal.pageIsFull()) run.background(() => run.journal.flush());
  it.scheduler.settled(step);
  return 'settled';
}
