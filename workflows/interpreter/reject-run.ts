import type { Interpreter } from './interpreter';
import type { Place } from './scheduling/place';
import type { StepResult } from './steps/step-result';

/** A person's refusal at a step ends the run. The step itself is done: it has its answer. */
export function rejectRun({ run, slots }: Interpreter, { path }: Place, reason: string): StepResult {
  const record = run.record(path);
  record.state = 'done';
  record.times = { ...record.times, endedAtMs: run.ctx.now() };
  run.journal.add({ kind: 'step', step: run.name(path), state: 'done', reason });
  slots.give(path);
  run.end({ kind: 'rejected', reason, step: run.name(path) });
  return 'settled';
}
