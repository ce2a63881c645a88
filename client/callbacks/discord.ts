import { joined } from '../../plan/text/joined';
import { field, type JsonObject } from '../../plan/text/json';
import { gateOf, type PressedButton, readButton } from './button';
import { type CallbackContext, CHAT_WAIT_MS, type GateNow, type LinkedGate } from './callback-context';
import { type CallbackAnswer, decidedLine, decideGate, needsComment } from './decide';
import { DEFERRED, ephemeral, followUp, INTERACTION, modal, modalText, PONG, update } from './discord-replies';
import { personOf } from './identify-person';
import { jsonOrPlainText, listAt, readObject, textAt } from './json-fields';
import { CallbackRefused } from './refusal';
import { type RequestFacts, recordRefusal } from './refusal-record';
import { isSignedByDiscord } from './signatures';
import { startFromChat, startWords } from './start';
import { withinLimit } from './within-time';

const DISCORD_API = 'https://discord.com/api/v10';
const FOLLOW_UP_LIMIT_MS = 10_000;
const LOOK_LIMIT_MS = 800;

/** The answer to Discord. `status` is what became of it where its words are only for the one who pressed. */
export interface ChatReply {
  body: JsonObject;
  status: number;
}

/**
 * Discord's interactions endpoint. Ed25519 proves that a request is Discord's, and Discord which user pressed; the directory
 * says which person that is.
 *
 * Invariants: 1. nothing of a request is believed before its signature is checked, over exactly the bytes that came; 2. Discord
 * has an answer in time: what takes longer follows by the interaction's own webhook; 3. the sender learns in words
 * what became of it. Discord shows words only in answers with status 200, so a refusal of a person's choice is one; what is
 * forged, repeated or too much is refused by status alone.
 */
export async function answerDiscord(context: CallbackContext, about: RequestFacts, body: Buffer, headers: Headers): Promise<ChatReply> {
  const { settings, replays, limit } = context;
  if (settings.discordPublicKey === undefined)
    throw new CallbackRefused(404, 'nothing is taken from Discord here: callbacks.discord_public_key is not set');
  const [signature, timestamp] = [headers.get('x-signature-ed25519') ?? '', headers.get('x-signature-timestamp') ?? ''];
  if (!isSignedByDiscord(settings.discordPublicKey, timestamp, body, signature))
    throw new CallbackRefused(401, 'the signature is not Discord’s');
  replays.checkTime(timestamp);
  const interaction = readObject(body);
  if (field(interaction, 'type') === INTERACTION.ping) return { body: PONG, status: 200 };
  const user = textAt(interaction, 'member', 'user', 'id') ?? textAt(interaction, 'user', 'id');
  if (user === undefined) throw new CallbackRefused(400, 'the user is missing');
  about.from = `discord:${user.slice(0, 40)}`;
  const id = `discord:${textAt(interaction, 'id') ?? signature}`;
  limit.take(about.from);
  replays.take(id);
  const command = field(interaction, 'type') === INTERACTION.command;
  if (command) return inTime(context, about, interaction, id, () => started(context, about, interaction, { user, id }));
  return inTime(context, about, interaction, id, () => press(context, about, interaction, user));
}

/** `/start pipeline: … args: …`. */
async function started(
  context: CallbackContext,
  about: RequestFacts,
  interaction: JsonObject,
  who: { user: string; id: string },
): Promise<JsonObject> {
  if (textAt(interaction, 'data', 'name') !== 'start') throw new CallbackRefused(400, 'this is not a command of Thermidor');
  const option = (name: string) => listAt(interaction, 'data', 'options').find((one) => textAt(one, 'name') === name);
  const words = startWords(`${textAt(option('pipeline'), 'value') ?? ''} ${textAt(option('args'), 'value') ?? ''}`);
  return ephemeral(await startFromChat(context, about, 'discord', { ...who, words }));
}

/** Which button was pressed, or which form was sent, and by which user. */
async function press(context: CallbackContext, about: RequestFacts, interaction: JsonObject, user: string): Promise<JsonObject> {
  const type = field(interaction, 'type');
  const button = readButton(textAt(interaction, 'data', 'custom_id'));
  if (button === undefined || (type !== INTERACTION.component && type !== INTERACTION.modalSubmit)) {
    throw new CallbackRefused(400, 'this is not a button of Thermidor');
  }
  const by = personOf(context.ports.directory, 'discord', user);
  about.by = by;
  const gate = await gateOf(context, about, button.key);
  const now = await context.ports.gateNow(gate, LOOK_LIMIT_MS);
  const form = type === INTERACTION.component && now.kind !== 'closed' ? formFor(gate, button, now) : undefined;
  if (form) return form;
  const [comment, response] = [modalText(interaction, 'comment'), modalText(interaction, 'response')];
  const answer = joined<CallbackAnswer>({
    gate,
    choice: button.choice,
    by,
    channel: 'discord',
    now,
    comment,
    response: response === undefined ? undefined : jsonOrPlainText(response),
  });
  const decided = await decideGate(context, answer);
  const line = decidedLine(answer, decided);
  return (decided.more ? undefined : update(interaction, line)) ?? ephemeral(line);
}

/** The words that a choice needs, or may come with. */
function formFor({ gate, step }: LinkedGate, button: PressedButton, now: GateNow): JsonObject | undefined {
  const title = `${button.choice}: ${step}`;
  if (gate === 'input') return modal(button, title, { id: 'response', label: 'Your answer (text or JSON)', required: true });
  const required = needsComment(now, button.choice);
  if (!required && button.choice !== 'reject') return undefined;
  return modal(button, title, { id: 'comment', label: required ? 'Why' : 'Why (may be left empty)', required });
}

async function inTime(
  context: CallbackContext,
  about: RequestFacts,
  interaction: JsonObject,
  id: string,
  work: () => Promise<JsonObject>,
): Promise<ChatReply> {
  const working = work().then(
    (body) => ({ body, status: 200 }),
    (error: unknown) => refusal(context, about, id, error),
  );
  const done = await withinLimit(working, context.settings.chatWaitMs ?? CHAT_WAIT_MS);
  if (done) return done.value;
  context.later(working.then(({ body }) => follow(context, interaction, body)));
  return { body: DEFERRED, status: 202 };
}

/** A refusal in words, recorded. */
function refusal(context: CallbackContext, about: RequestFacts, id: string, error: unknown): ChatReply {
  if (!(error instanceof CallbackRefused) || error.status === 503) context.replays.forget(id);
  if (!(error instanceof CallbackRefused)) throw error;
  recordRefusal(context, about, error);
  return { body: ephemeral(`Not taken: ${error.message}`), status: error.status };
}

/** Reports a late outcome by the interaction's own webhook. */
async function follow({ settings, ports }: CallbackContext, interaction: JsonObject, reply: JsonObject): Promise<void> {
  const [application, token] = [textAt(interaction, 'application_id') ?? '', textAt(interaction, 'token') ?? ''];
  if (!/^\d{1,24}$/.test(application) || token === '') return ports.warn('Discord gave no way to report the outcome of an answer');
  const url = `${settings.discordApi ?? DISCORD_API}/webhooks/${application}/${encodeURIComponent(token)}/messages/@original`;
  const response = await fetch(url, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(followUp(textAt(reply, 'data', 'content') ?? 'done')),
    redirect: 'manual',
    signal: AbortSignal.timeout(FOLLOW_UP_LIMIT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) ports.warn(`Discord answered ${response.status} to the report of an answer’s outcome`);
}
