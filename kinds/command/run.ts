import type { WorkEnd } from '../../workflows/interpreter/context/attempt-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { Place } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { stepActivityOptions } from '../../workflows/interpreter/steps/activity-options';
import { joinChain, takeChained } from '../../workflows/interpreter/steps/chains';
import { recordOutput } from '../../workflows/interpreter/steps/record-output';
import { stepInput } from '../../workflows/interpreter/steps/step-input';
import { noteBegins, noteBeginsOfFailure } from '../../workflows/interpreter/steps/work-times';

const COMMAND = { kind: 'command' } as const;

/** Runs a command in an activity; its output comes back by reference, with the values that expressions read. */
export async function performCommand(it: Interpreter, place: Place, record: StepRecord, ctx: StepContext): Promise<WorkEnd | undefined> {
  const { run } = it;
  const chain = joinChain(it, place, record);
  if (chain) await chain;
  const chained = takeChained(it, place, record);
  if (chained) return chained;
  const address = run.address(place.path);
  const options = { address, ledger: address, ...stepActivityOptions(run, place) };
  try {
    const output = await ctx.call('command', 'command', () => stepInput(run, place), options);
    noteBegins(run, place.path, output);
    recordOutput(record, COMMAND, output);
  } catch (error) {
    noteBeginsOfFailure(run, place.path, error);
    throw error;
  }
  return undefined;
}
