import { render } from '../../plan/evaluate';
import { FAILURES, isFailureCode, ThermidorFailure } from '../../plan/failure';
import type { NotifyInput, NotifyOutput } from '../../plan/gate-work';
import { field, type Json } from '../../plan/json';
import type { ChannelSpec } from '../../plan/plan';
import { type ActivityCall, addressOf } from '../call';
import type { AskedGate, ChannelAdapter, ChannelMessage } from '../channel-port';
import { type LoadedRun, loadRun, stepAt } from '../run/run-record';
import { inputScope } from '../run/scope';
import { asJson } from '../stored/stored-json';
import { forgetUnstored, produced } from '../storing';
import type { Toolbox } from '../toolbox';
import { requireApproval } from './approval-use';
import { answerCommands, noticeText } from './notice-text';

/**
 * Sends a message by every adapter that serves the channel. Fails with `channel.unavailable`, `channel.refused`,
 * `secret.missing`, `approval.missing`, and then says of each adapter that failed what it failed with.
 *
 * Invariants: 1. each delivery is recorded on its own, so that a retry after one failed does not send the others again, and
 * what is delivered again because the record was lost has the same idempotency key; 2. no adapter waits for another; 3. one
 * that refused for good is not asked again within the try, and does not end it while another may still deliver.
 */
export async function notify(toolbox: Toolbox, call: ActivityCall, input: NotifyInput): Promise<NotifyOutput> {
  const run = await loadRun(toolbox, call.key);
  const message = await messageText(toolbox, run, call, input);
  const sent = await channelMessage(toolbox, run, call, input, message);
  await requireStepsApproval(toolbox, run, call, input);
  const serving = toolbox.channelAdapters.filter((adapter) => adapter.serves(sent));
  const ends = await Promise.allSettled(serving.map((adapter) => deliverOnce(toolbox, call, adapter, sent)));
  call.signal.throwIfAborted();
  const failures: unknown[] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  if (failures.length > 0) throw together(failures);
  return { message, deliveredTo: serving.map(({ name }) => name) };
}

/** The message of a notify step of a category goes out with a person's yes alone; what the run itself says needs none. */
async function requireStepsApproval(toolbox: Toolbox, run: LoadedRun, call: ActivityCall, input: NotifyInput): Promise<void> {
  const address = input.message === undefined ? addressOf(call) : undefined;
  const step = address && stepAt(run, address);
  if (address && step?.kind === 'notify') await requireApproval(toolbox, run, step, address, input);
}

async function messageText(toolbox: Toolbox, run: LoadedRun, call: ActivityCall, input: NotifyInput): Promise<string> {
  if (input.message !== undefined) return input.message;
  const address = addressOf(call);
  const step = address && stepAt(run, address);
  const template = step?.kind === 'notify' ? step.message : undefined;
  if (template === undefined) return input.gate?.question ?? '';
  return render(template, await inputScope(toolbox, run, input, 'referenced'));
}

async function channelMessage(
  toolbox: Toolbox,
  { plan }: LoadedRun,
  { key, id }: ActivityCall,
  { channel, kind = 'message', gate: notice, end }: NotifyInput,
  message: string,
): Promise<ChannelMessage> {
  const run = key.workflowId;
  const spec = specOf(toolbox.channels, channel) ?? specOf(plan.channels, channel);
  const gate = notice && (kind === 'gate' || kind === 'reminder') ? await askedGate(toolbox, { ...notice, run, channel }) : undefined;
  const { mention } = spec ?? {};
  const about = { kind, run, message: withoutAnswer(message, notice), ...(mention === undefined ? {} : { mention }) };
  return {
    idempotencyKey: `${run}/${key.run}/${id}`,
    run,
    channel,
    kind,
    ...noticeText({ ...about, ...(notice ? { step: notice.step } : {}), ...(gate ? { gate } : {}) }),
    ...(spec ? { spec } : {}),
    ...(gate ? { gate } : {}),
    ...(end ? { end } : {}),
  };
}

function specOf(channels: Toolbox['channels'] = {}, channel: string): ChannelSpec | undefined {
  return Object.hasOwn(channels, channel) ? channels[channel] : undefined;
}

/** The interpreter ends a message with the line that answers; each adapter shows that with the other ways. */
function withoutAnswer(message: string, notice: NotifyInput['gate']): string {
  const line = notice?.answer === undefined ? undefined : `\n${notice.answer}`;
  return line !== undefined && message.endsWith(line) ? message.slice(0, -line.length) : message;
}

async function askedGate(
  { links, callbackUrl, commandFlags }: Toolbox,
  link: Parameters<Toolbox['links']['keyFor']>[0],
): Promise<AskedGate> {
  const { run, channel: _, ...notice } = link;
  const key = await links.keyFor(link);
  const url = callbackUrl === undefined ? {} : { url: `${callbackUrl.replace(/\/+$/, '')}/g/${key}` };
  return { ...notice, key, ...url, commands: answerCommands(run, notice, commandFlags) };
}

async function deliverOnce(toolbox: Toolbox, call: ActivityCall, adapter: ChannelAdapter, message: ChannelMessage): Promise<void> {
  const { ledger } = toolbox;
  const delivered = `${call.id}/delivered/${adapter.name}`;
  const refused = `${call.id}/refused/${adapter.name}`;
  if ((await ledger.get(call.key, delivered)) !== undefined) return;
  // Somebody who has an activity done anew from its first attempt may have mended the channel before.
  const before = call.attempt > 1 ? refusal(await ledger.get(call.key, refused)) : undefined;
  if (before) throw before;
  call.signal.throwIfAborted();
  const own = { ...call, id: delivered };
  await produced(
    toolbox,
    own,
    async () => {
      await deliver(toolbox, call, adapter, message, refused);
      return { idempotencyKey: message.idempotencyKey };
    },
    (record) => ledger.putIfAbsent(call.key, delivered, record),
  );
  forgetUnstored(toolbox, own);
}

async function deliver(
  { ledger }: Toolbox,
  call: ActivityCall,
  adapter: ChannelAdapter,
  message: ChannelMessage,
  refused: string,
): Promise<void> {
  try {
    await adapter.deliver(message, call.signal);
  } catch (error) {
    if (error instanceof ThermidorFailure && FAILURES[error.code].retried !== 'temporal') {
      await ledger.putIfAbsent(call.key, refused, asJson({ code: error.code, message: error.message, details: error.details }));
    }
    throw error;
  }
}

function refusal(record: Json | undefined): ThermidorFailure | undefined {
  if (record === undefined) return undefined;
  const [code, message] = [field(record, 'code'), field(record, 'message')];
  if (typeof code !== 'string' || !isFailureCode(code) || typeof message !== 'string') return undefined;
  return new ThermidorFailure(code, message, field(record, 'details'));
}

/** One failure for all of them: of those that a retry may mend the one that asks for the longest wait, then bugs, then refusals. */
function together(failures: readonly unknown[]): unknown {
  const known = failures.filter((error) => error instanceof ThermidorFailure);
  const retried = known.filter(({ code }) => FAILURES[code].retried === 'temporal');
  const [worst] = retried.sort((a, b) => (b.retryAfterMs ?? 0) - (a.retryAfterMs ?? 0));
  const bug = failures.find((error) => !(error instanceof ThermidorFailure));
  if (!worst && bug !== undefined) return bug;
  const one = worst ?? known[0];
  if (!one || known.length === 1) return one;
  return new ThermidorFailure(one.code, known.map(({ message }) => message).join('; '), one.details, one.retryAfterMs);
}
