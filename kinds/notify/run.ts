import { defined } from '../../plan/defined';
import type { Perform } from '../../workflows/interpreter/interpreter';
import { noteSent } from '../../workflows/interpreter/messages/envelopes';
import { activitySummary, workerActivityOptions } from '../../workflows/interpreter/steps/activity-options';
import { NOTIFY_RETRY_MS, SHORT_ACTIVITY_MS } from '../../workflows/interpreter/steps/activity-timeouts';
import { joinChain, takeChained } from '../../workflows/interpreter/steps/chains';
import { stepInput } from '../../workflows/interpreter/steps/step-input';
import { noteBegins, noteBeginsOfFailure } from '../../workflows/interpreter/steps/work-times';

/** Sends a message to a channel and waits until it is delivered. */
export const performNotify: Perform<'notify'> = async (it, place, record, ctx) => {
  const { run } = it;
  const { step, path } = place;
  const chain = joinChain(it, place, record);
  if (chain) await chain;
  const chained = takeChained(it, place, record);
  if (chained) return chained;
  const { run: id, inputs, records, loops, end, approvals } = stepInput(run, place);
  const options = {
    address: run.address(path),
    ledger: run.address(path),
    ...workerActivityOptions(place),
    summary: activitySummary(run, place) ?? `notify ${step.channel}`,
    startToCloseMs: SHORT_ACTIVITY_MS,
    scheduleToCloseMs: step.timeoutMs ?? NOTIFY_RETRY_MS,
  };
  const input = () => ({ run: id, channel: step.channel, ...defined({ inputs, records, loops, end, approvals }) });
  try {
    const sent = await ctx.call('message', 'notify', input, options);
    noteBegins(run, path, sent);
    noteSent(run, place, step.channel, sent.message);
  } catch (error) {
    noteBeginsOfFailure(run, path, error);
    throw error;
  }
  return undefined;
};
