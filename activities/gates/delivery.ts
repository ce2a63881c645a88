import { FAILURES, ThermidorFailure } from '../../plan/run/failure';
import type { NotifyStep } from '../../plan/steps/step';
import type { Begins } from '../../plan/steps/step-activity';
import { field } from '../../plan/text/json';
import type { RecordLog } from '../../records/ledger';
import { asJson } from '../../records/stored-json';
import type { ActivityCall } from '../activity-call';
import type { ChannelAdapter, ChannelMessage } from '../channel-port';
import { endsHere, noteBegin, requireFirst } from '../intents';
import { recordedFailure } from '../recorded-failure';
import { forgetUnstored, noteProduced } from '../store-output';
import type { Toolbox } from '../toolbox';

/** A message on its way by one adapter; `step` is set if the message is a step's own. */
export interface Delivery {
  adapter: ChannelAdapter;
  message: ChannelMessage;
  intents: RecordLog;
  /** Gets the time of its beginning, if that is not the first. */
  begins: { add(begins: Begins): void };
  step?: NotifyStep;
}

/** Delivers, unless that is done; only storing the result is retried by itself. */
export async function deliverOnce(toolbox: Toolbox, call: ActivityCall, delivery: Delivery): Promise<void> {
  const { ledger } = toolbox;
  const { adapter, message } = delivery;
  const delivered = `${call.id}/delivered/${adapter.name}`;
  const refused = `${call.id}/refused/${adapter.name}`;
  if ((await ledger.get(call.key, delivered)) !== undefined) return;
  // Somebody who has an activity done again from its first attempt may have fixed the channel before.
  const before = call.attempt > 1 ? recordedFailure(await ledger.get(call.key, refused)) : undefined;
  if (before) throw before;
  call.signal.throwIfAborted();
  const own = { ...call, id: delivered };
  await noteProduced(
    toolbox,
    own,
    async () => {
      await deliver(toolbox, call, delivery, { delivered, refused });
      return { idempotencyKey: message.idempotencyKey };
    },
    (record) => ledger.putIfAbsent(call.key, delivered, record),
  );
  forgetUnstored(toolbox, own);
}

async function deliver(
  { ledger }: Toolbox,
  call: ActivityCall,
  { adapter, message, intents, begins, step }: Delivery,
  { delivered, refused }: { delivered: string; refused: string },
): Promise<void> {
  const intent = nextIntent(intents, delivered);
  const noted = await noteBegin(intents, intent);
  begins.add(noted.begins);
  if (step) requireFirst(step, noted.hasBegun);
  try {
    await adapter.deliver(message, call.signal);
  } catch (error) {
    if (endsHere(call)) await noted.over();
    if (!(error instanceof ThermidorFailure)) throw error;
    if (FAILURES[error.code].retried !== 'temporal') {
      await ledger.putIfAbsent(call.key, refused, asJson({ code: error.code, message: error.message, details: error.details }));
    }
    // An unanswered message may have been accepted.
    if (field(error.details, 'unanswered') !== true) await intents.putIfAbsent(intent, { failed: error.code });
    throw error;
  }
}

/** A failed attempt is over: trying again is another beginning. */
function nextIntent(intents: RecordLog, delivered: string): string {
  let n = 1;
  while (intents.get(`${delivered}/${n}`) !== undefined) n += 1;
  return `${delivered}/${n}`;
}

/** One failure for all of them: the retryable one with the longest wait, else a bug, else a refusal. */
export function together(failures: readonly unknown[]): unknown {
  const known = failures.filter((error) => error instanceof ThermidorFailure);
  const retried = known.filter(({ code }) => FAILURES[code].retried === 'temporal');
  const [worst] = retried.sort((a, b) => (b.retryAfterMs ?? 0) - (a.retryAfterMs ?? 0));
  const bug = failures.find((error) => !(error instanceof ThermidorFailure));
  if (!worst && bug !== undefined) return bug;
  const one = worst ?? known[0];
  if (!one || known.length === 1) return one;
  return new ThermidorFailure(one.code, known.map(({ message }) => message).join('; '), one.details, one.retryAfterMs);
}
