import type { ControlOf } from '../../../plan/control';
import type { Interpreter } from '../interpreter';
import { workPolicy } from '../policies';
import { type StepResult, settle } from '../settle';
import type { StepRecord } from '../state';
import { stepInput } from '../step-input';

/** Runs a command in an activity; its output comes back by reference, with the values that expressions read. */
export async function performCommand(it: Interpreter, step: ControlOf<'command'>, record: StepRecord): Promise<StepResult> {
  const { run } = it;
  const output = await run.activity('command', stepInput(run, step, record), {
    address: run.address(step.id),
    ...workPolicy(step.timeoutMs),
  });
  if (output.artifact) record.artifact = output.artifact;
  if (output.values) record.values = output.values;
  return settle(it, step, 'done');
}
