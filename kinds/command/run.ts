import { joinChain, takeChained } from '../../workflows/interpreter/chains';
import type { WorkEnd } from '../../workflows/interpreter/context/memory';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { Place } from '../../workflows/interpreter/place';
import type { StepRecord } from '../../workflows/interpreter/state/record';
import { stepInput } from '../../workflows/interpreter/step-input';
import { stepPolicy } from '../../workflows/interpreter/step-policy';
import { takeOutput } from '../../workflows/interpreter/take-output';

const COMMAND = { kind: 'command' } as const;

/** Runs a command in an activity; its output comes back by reference, with the values that expressions read. */
export async function performCommand(it: Interpreter, place: Place, record: StepRecord, ctx: StepContext): Promise<WorkEnd | undefined> {
  const { run } = it;
  const chain = joinChain(it, place, record);
  if (chain) await chain;
  const chained = takeChained(it, place, record);
  if (chained) return chained;
  const address = run.address(place.path);
  const options = { address, ledger: address, ...stepPolicy(run, place) };
  takeOutput(record, COMMAND, await ctx.call('command', 'command', () => stepInput(run, place), options));
  return undefined;
}
