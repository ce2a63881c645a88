import type { NotifyInput, NotifyOutput } from '../plan/contract';
import { render } from '../plan/evaluate';
import { type ActivityCall, addressOf } from './call';
import type { ChannelAdapter, ChannelMessage } from './ports';
import { type LoadedRun, loadRun, stepAt } from './run-record';
import { inputScope } from './scope';
import type { Toolbox } from './toolbox';

/**
 * Sends a message by every adapter that serves the channel. Each delivery is recorded on its own, so that a retry after one
 * failed does not send the others again. Fails with `channel.unavailable`, `channel.refused`, `secret.missing`.
 */
export async function notify(toolbox: Toolbox, call: ActivityCall, input: NotifyInput): Promise<NotifyOutput> {
  const run = await loadRun(toolbox, call.key);
  const message = await messageText(toolbox, run, call, input);
  const spec = toolbox.channels[input.channel] ?? run.plan.channels?.[input.channel];
  const sent: ChannelMessage = {
    idempotencyKey: `${call.key.workflowId}/${call.key.run}/${call.id}`,
    run: call.key.workflowId,
    channel: input.channel,
    text: spec?.mention === undefined ? message : `${spec.mention} ${message}`,
    ...(spec ? { spec } : {}),
  };
  const serving = toolbox.channelAdapters.filter((adapter) => adapter.serves(sent));
  const failures: unknown[] = [];
  for (const adapter of serving) {
    try {
      await deliverOnce(toolbox, call, adapter, sent);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return { message, deliveredTo: serving.map(({ name }) => name) };
}

async function messageText(toolbox: Toolbox, run: LoadedRun, call: ActivityCall, input: NotifyInput): Promise<string> {
  if (input.message !== undefined) return input.message;
  const address = addressOf(call);
  const step = address && stepAt(run, address);
  const template = step?.kind === 'notify' ? step.message : undefined;
  return template === undefined ? '' : render(template, await inputScope(toolbox, run, input, 'referenced'));
}

async function deliverOnce({ ledger }: Toolbox, call: ActivityCall, adapter: ChannelAdapter, message: ChannelMessage): Promise<void> {
  const name = `${call.id}/delivered/${adapter.name}`;
  if ((await ledger.get(call.key, name)) !== undefined) return;
  call.signal.throwIfAborted();
  await adapter.deliver(message, call.signal);
  await ledger.putIfAbsent(call.key, name, { idempotencyKey: message.idempotencyKey });
}
