import { defined } from '../../plan/defined';
import { render } from '../../plan/expressions/evaluate';
import type { NotifyInput, NotifyOutput } from '../../plan/people/gate-activities';
import { type ChannelSpec, timezoneOf } from '../../plan/plan';
import { addressOfCall } from '../../plan/steps/call-address';
import type { NotifyStep } from '../../plan/steps/step';
import { visibleText } from '../../plan/text/visible-text';
import { readShown } from '../../records/read-shown';
import { type ActivityCall, requireAddress } from '../activity-call';
import type { AskedGate, ChannelMessage } from '../channel-port';
import { failedWithBegins, gatherBegins, messageLog, withIntents } from '../intents';
import { once } from '../once';
import { loadRun, stepAt } from '../run/load-run';
import type { LoadedRun } from '../run/loaded-run';
import { runSecrets } from '../run/run-secrets';
import { inputScope } from '../run/template-scope';
import type { Toolbox } from '../toolbox';
import { requireApproval } from './approved-action';
import { attachedReport, missingReport } from './attached-report';
import { deliverOnce, together } from './delivery';
import { answerCommands, noticeText } from './notice-text';

/**
 * Sends a message by every adapter that serves the channel. Fails with `channel.unavailable`, `channel.refused`, `secret.missing`,
 * `approval.missing`, `action.unknown`, `store.unavailable`, and then names the failure of each adapter.
 *
 * Invariants: 1. each delivery is recorded separately, so that a retry after one failed does not send the others again, and a delivery
 * repeated because its record was lost has the same idempotency key; 2. no adapter waits for another; 3. one that refused for good is not
 * asked again within the try, and does not end it while another may still deliver; 4. the start of a delivery is in the ledger: if the
 * ledger is full nothing is sent, and a message that a worker was sending when it was lost is sent again, except for a step of a category
 * (`action.unknown`).
 */
export async function notify(toolbox: Toolbox, call: ActivityCall, input: NotifyInput): Promise<NotifyOutput> {
  const run = await loadRun(toolbox, call.key);
  const step = notifyStep(run, call, input);
  // A step that is done is looked up under its address.
  return step ? await once(toolbox, call, () => send(toolbox, run, call, input, step)) : await send(toolbox, run, call, input);
}

async function send(toolbox: Toolbox, run: LoadedRun, call: ActivityCall, input: NotifyInput, step?: NotifyStep): Promise<NotifyOutput> {
  const scope = await inputScope(toolbox, run, step && input.message === undefined ? input : {}, 'people');
  const report = step && attachedReport(step, scope, call.key.workflowId);
  const message = scope.secrets.mask(input.message ?? (step ? render(step.message, scope) : (input.gate?.question ?? '')));
  const told = `${message}${step ? missingReport(step, report) : ''}`;
  const to = { ...input, ...defined({ channel: step?.channel }) };
  const sent = { ...(await channelMessage(toolbox, run, call, to, told)), ...defined({ report }) };
  // The run's own messages need no approval.
  if (step) await requireApproval(toolbox, run, step, requireAddress(call), input);
  const serving = toolbox.channelAdapters.filter((adapter) => adapter.serves(sent));
  const begins = gatherBegins();
  const ends = await withIntents(
    toolbox,
    call,
    (intents) =>
      Promise.allSettled(
        serving.map((adapter) => deliverOnce(toolbox, call, { adapter, message: sent, intents, begins, ...defined({ step }) })),
      ),
    messageLog(call),
  );
  call.signal.throwIfAborted();
  const failures: unknown[] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  if (failures.length > 0) throw failedWithBegins(together(failures), begins.all());
  return { message: told, deliveredTo: serving.map(({ name }) => name), ...begins.all() };
}

/** The step whose own message it is. */
function notifyStep(run: LoadedRun, call: ActivityCall, { message }: NotifyInput): NotifyStep | undefined {
  const address = message === undefined ? addressOfCall(call) : undefined;
  const step = address && stepAt(run, address);
  return step && 'message' in step ? step : undefined;
}

async function channelMessage(
  toolbox: Toolbox,
  loaded: LoadedRun,
  { key, id }: ActivityCall,
  { channel, kind = 'message', from, unmentioned, gate: notice, end }: NotifyInput,
  message: string,
): Promise<ChannelMessage> {
  const run = key.workflowId;
  const { plan } = loaded;
  const known = specOf(toolbox.channels, channel) ?? specOf(plan.channels, channel);
  const spec = known && unmentioned ? unspoken(known) : known;
  const gate =
    notice && (kind === 'gate' || kind === 'reminder')
      ? await askedGate(toolbox, { ...notice, run, channel, zone: timezoneOf(plan) })
      : undefined;
  const shown = gate && (await shownBy(toolbox, loaded, gate));
  const { mention } = spec ?? {};
  const speaker = from === undefined ? {} : { from };
  const about = { kind, run, message: withoutAnswer(message, notice), ...speaker, ...defined({ mention }) };
  return {
    idempotencyKey: `${run}/${key.run}/${id}`,
    run,
    channel,
    kind,
    ...speaker,
    ...noticeText({ ...about, ...defined({ step: notice?.step, gate }) }),
    ...defined({ spec, gate, shown, end }),
  };
}

async function shownBy(toolbox: Toolbox, run: LoadedRun, gate: AskedGate): Promise<string | undefined> {
  const text = await readShown(toolbox.artifacts, gate);
  return text === undefined || text === '' ? undefined : (await runSecrets(toolbox, run)).mask(text);
}

/** Removes the mention: an agent may notify nobody in particular. */
function unspoken({ mention: _left, ...spec }: ChannelSpec): ChannelSpec {
  return spec;
}

function specOf(channels: Toolbox['channels'] = {}, channel: string): ChannelSpec | undefined {
  return Object.hasOwn(channels, channel) ? channels[channel] : undefined;
}

/** The interpreter ends a message with the answering command; each adapter shows it with the other ways. */
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
  const note = notice.note && visibleText(notice.note);
  return { ...notice, ...defined({ note }), key, ...url, commands: answerCommands(run, notice, commandFlags) };
}
