import { ThermidorFailure } from '../../plan/run/failure';
import type { Begins } from '../../plan/steps/step-activity';
import type { WorkEnd } from '../../workflows/interpreter/context/attempt-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { Place } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { stepActivityOptions } from '../../workflows/interpreter/steps/activity-options';
import { joinChain, takeChained } from '../../workflows/interpreter/steps/chains';
import { recordOutput } from '../../workflows/interpreter/steps/record-output';
import { stepInput } from '../../workflows/interpreter/steps/step-input';
import { byClock, noteBegunAgain, workClock } from '../../workflows/interpreter/steps/work-times';

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
  const noteBegins = (begins: Begins): void => {
    const clock = workClock(run, record.startedAtMs ?? run.ctx.now());
    noteBegunAgain(run, place.path, byClock(begins, clock).begun);
  };
  try {
    const output = await ctx.call('command', 'command', () => stepInput(run, place), options);
    noteBegins(output);
    recordOutput(record, COMMAND, output);
  } catch (error) {
    if (error instanceof ThermidorFailure && error.work) noteBegins(error.work);
    throw error;
  }
  return undefined;
}
