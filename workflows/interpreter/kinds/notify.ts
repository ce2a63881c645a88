import type { ControlOf } from '../../../plan/control';
import type { Interpreter } from '../interpreter';
import { NOTIFY_FOR_MS, QUICK_MS } from '../policies';
import { type StepResult, settle } from '../settle';
import type { StepRecord } from '../state';
import { stepInput } from '../step-input';

/** Sends a message to a channel and waits until it is delivered. */
export async function performNotify(it: Interpreter, step: ControlOf<'notify'>, _record: StepRecord): Promise<StepResult> {
  const { run } = it;
  const { run: id, inputs, records } = stepInput(run, step, run.record(step.id));
  const sent = await run.activity(
    'notify',
    { run: id, channel: step.channel, ...(inputs ? { inputs } : {}), ...(records ? { records } : {}) },
    { address: run.address(step.id), startToCloseMs: QUICK_MS, scheduleToCloseMs: NOTIFY_FOR_MS, summary: `notify ${step.channel}` },
  );
  run.journal.add({ kind: 'notification', step: run.name(step.id), channel: step.channel, delivered: true, message: sent.message });
  return settle(it, step, 'done');
}
