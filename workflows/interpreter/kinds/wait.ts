import type { ControlOf } from '../../../plan/control';
import type { Interpreter } from '../interpreter';
import { type StepResult, settle } from '../settle';
import type { StepRecord } from '../state';

/** Waits a while. The moment it ends is kept in state, so that continue-as-new does not start it anew. */
export async function performWait(it: Interpreter, step: ControlOf<'wait'>, record: StepRecord): Promise<StepResult> {
  const { run } = it;
  record.resumeAtMs ??= run.ctx.now() + step.forMs;
  record.state = 'waiting';
  it.scheduler.yielded(step, true);
  await run.until(record.resumeAtMs);
  return settle(it, step, 'done');
}
