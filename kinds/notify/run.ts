import { joinChain, takeChained } from '../../workflows/interpreter/chains';
import type { WorkEnd } from '../../workflows/interpreter/context/memory';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { noteSent } from '../../workflows/interpreter/envelopes';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { PlaceOf } from '../../workflows/interpreter/place';
import { NOTIFY_FOR_MS, SHORT_MS } from '../../workflows/interpreter/policies';
import type { StepRecord } from '../../workflows/interpreter/state/record';
import { stepInput } from '../../workflows/interpreter/step-input';
import { summaryOf, workerPolicy } from '../../workflows/interpreter/step-policy';

/** Sends a message to a channel and waits until it is delivered. */
export async function performNotify(
  it: Interpreter,
  place: PlaceOf<'notify'>,
  record: StepRecord,
  ctx: StepContext,
): Promise<WorkEnd | undefined> {
  const { run } = it;
  const { step, path } = place;
  const chain = joinChain(it, place, record);
  if (chain) await chain;
  const chained = takeChained(it, place, record);
  if (chained) return chained;
  const { run: id, inputs, records, loops, end, approvals } = stepInput(run, place);
  const sent = await ctx.call(
    'message',
    'notify',
    () => ({
      run: id,
      channel: step.channel,
      ...(inputs ? { inputs } : {}),
      ...(records ? { records } : {}),
      ...(loops ? { loops } : {}),
      ...(end ? { end } : {}),
      ...(approvals ? { approvals } : {}),
    }),
    {
      address: run.address(path),
      ledger: run.address(path),
      ...workerPolicy(place),
      summary: summaryOf(run, place) ?? `notify ${step.channel}`,
      startToCloseMs: SHORT_MS,
      scheduleToCloseMs: step.timeoutMs ?? NOTIFY_FOR_MS,
    },
  );
  noteSent(run, place, step.channel, sent.message);
  return undefined;
}
