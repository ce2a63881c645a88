import type { CallbackContext } from '../../client/callbacks/callback-context';
import { type CallbackAnswer, decideGate, refusalOfUpdate } from '../../client/callbacks/decide';
import { gateOf, namedPerson, readObject } from '../../client/callbacks/read-request';
import { CallbackRefused } from '../../client/callbacks/refusal';
import type { RequestFacts } from '../../client/callbacks/refusal-record';
import { isSignedByReceiver } from '../../client/callbacks/signatures';
import type { GateLink } from '../../plan/people/notice';
import { joined } from '../../plan/text/joined';
import { field, type JsonObject } from '../../plan/text/json';
import { numberAt } from '../../plan/text/spelled-json';
import { text } from '../../records/outside-json';

const TEXT_CHARACTERS = 10_000;

/**
 * Decisions from whatever a channel's webhook leads to, as JSON: `{key, choice, by, comment?, value?, response?, shown?}`. It is signed
 * with the channel's own secret (`thermidor-timestamp`, seconds; `thermidor-signature`, `v1=` and the HMAC-SHA-256 over
 * `timestamp.body`): who has the secret vouches for the person it names.
 *
 * The secret depends on the gate, so the key is read before the signature is checked; nothing else is believed before.
 */
export async function answerWebhook(context: CallbackContext, about: RequestFacts, body: Buffer, headers: Headers): Promise<JsonObject> {
  const { ports, replays, limit } = context;
  const said = readObject(body);
  const gate = await gateOf(context, about, text.parse(field(said, 'key')) ?? '');
  const secret = await secretOf(context, gate);
  if (secret === undefined)
    throw new CallbackRefused(401, `channel ${gate.channel} has no webhook_secret, so nothing can be signed for it`);
  const [signature, timestamp] = [headers.get('thermidor-signature') ?? '', headers.get('thermidor-timestamp') ?? ''];
  if (!isSignedByReceiver(secret, timestamp, body, signature)) throw new CallbackRefused(401, 'the signature does not fit');
  replays.checkTime(timestamp);
  about.from = `webhook:${gate.channel}`;
  limit.take(about.from);
  replays.take(`webhook:${signature}`);
  const by = namedPerson(ports.directory, field(said, 'by'));
  about.by = by;
  const [choice, comment, shown] = [textOf(said, 'choice'), textOf(said, 'comment'), textOf(said, 'shown')];
  const [value, response] = [field(said, 'value'), field(said, 'response')];
  if (choice === undefined) throw new CallbackRefused(400, `the choice is missing: one of ${gate.choices.join(', ')}`);
  try {
    const sent = { value: numberAt(said, 'value') ?? value, response: numberAt(said, 'response') ?? response };
    const answer = joined<CallbackAnswer>({ gate, choice, by, channel: 'webhook', comment, shown }, sent);
    const { step, more } = await decideGate(context, answer);
    return { outcome: 'applied', run: gate.run, step, more };
  } catch (error) {
    if (!(error instanceof CallbackRefused) || error.status === 503) replays.forget(`webhook:${signature}`);
    throw error;
  }
}

async function secretOf({ ports }: CallbackContext, gate: GateLink): Promise<string | undefined> {
  try {
    return await ports.webhookSecretOf(gate);
  } catch (error) {
    throw refusalOfUpdate(error, gate);
  }
}

function textOf(said: JsonObject, key: string): string | undefined {
  const value = field(said, key);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value.length <= TEXT_CHARACTERS) return value;
  throw new CallbackRefused(400, `"${key}" must be text of at most ${TEXT_CHARACTERS} characters`);
}
