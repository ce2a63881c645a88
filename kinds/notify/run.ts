import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { ownerOf, sendNotification } from '../../workflows/interpreter/envelopes';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { PlaceOf } from '../../workflows/interpreter/place';
import { NOTIFY_FOR_MS, SHORT_MS } from '../../workflows/interpreter/policies';
import { stepInput } from '../../workflows/interpreter/step-input';
import { summaryOf, workerPolicy } from '../../workflows/interpreter/step-policy';

/** Sends a message to a channel and waits until it is delivered. */
export async function performNotify(it: Interpreter, place: PlaceOf<'notify'>, ctx: StepContext): Promise<undefined> {
  const { run } = it;
  const { step, path } = place;
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
  const about = { step: run.name(path), address: run.address(path) };
  sendNotification(run, about, { from: ownerOf(run), channel: step.channel, message: sent.message });
  run.journal.add({ kind: 'notification', step: run.name(path), channel: step.channel, delivered: true, message: sent.message });
  return undefined;
}
