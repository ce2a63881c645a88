import { createPublicKey, verify } from 'node:crypto';
import { type CallbackContext, CHAT_WAIT_MS, type GateNow } from '../../client/callbacks/callback-context';
import {
  admit,
  type ChatCallback,
  type ChatReply,
  type ProvenRequest,
  refusalInWords,
  withinLimit,
} from '../../client/callbacks/chat-callback';
import { type CallbackAnswer, decidedLine, decideGate, needsComment } from '../../client/callbacks/decide';
import { gateOf, jsonOrPlainText, type PressedButton, personOf, readButton, readObject } from '../../client/callbacks/read-request';
import { CallbackRefused } from '../../client/callbacks/refusal';
import type { RequestFacts } from '../../client/callbacks/refusal-record';
import { startFromChat, startWords } from '../../client/callbacks/start';
import type { GateLink } from '../../plan/people/notice';
import { joined } from '../../plan/text/joined';
import type { JsonObject } from '../../plan/text/json';
import { fields, text } from '../../records/outside-json';
import {
  DEFERRED,
  ephemeral,
  followUp,
  INTERACTION,
  INTERACTION_TYPES,
  type Interaction,
  modal,
  modalText,
  PONG,
  update,
} from './interaction';

const DISCORD_API = 'https://discord.com/api/v10';
const FOLLOW_UP_LIMIT_MS = 10_000;
const LOOK_LIMIT_MS = 800;

/** What a raw Ed25519 key needs before it to be a key in DER (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Discord's interactions endpoint. Ed25519 proves that a request is Discord's, and Discord which user pressed; the directory says which
 * person that is.
 *
 * Invariants: 1. Discord has an answer in time: what takes longer follows by the interaction's own webhook; 2. the sender learns the
 * outcome in words. Discord shows words only in answers with status 200, so a refusal of a person's choice is one; what is forged, repeated
 * or too much is refused by status alone.
 */
export const DISCORD_CALLBACK: ChatCallback = {
  contentType: 'application/json',
  signatureIn: (headers) => ({
    signature: headers.get('x-signature-ed25519') ?? '',
    timestamp: headers.get('x-signature-timestamp') ?? '',
  }),
  /** Ed25519 over timestamp and body. */
  isSigned(publicKey, timestamp, body, signature) {
    if (!/^[0-9a-f]{128}$/i.test(signature) || !/^[0-9a-f]{64}$/i.test(publicKey)) return false;
    const key = createPublicKey({ key: Buffer.concat([ED25519_PREFIX, Buffer.from(publicKey, 'hex')]), format: 'der', type: 'spki' });
    return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));
  },
  answer,
};

async function answer(context: CallbackContext, about: RequestFacts, { body, signature }: ProvenRequest): Promise<ChatReply> {
  const interaction = INTERACTION.parse(readObject(body));
  const { type, member, user: direct } = interaction;
  if (type === INTERACTION_TYPES.ping) return { body: PONG, status: 200 };
  const user = member.user.id ?? direct.id;
  if (user === undefined) throw new CallbackRefused(400, 'the user is missing');
  const id = `discord:${interaction.id ?? signature}`;
  admit(context, about, 'discord', user, id);
  if (type === INTERACTION_TYPES.command)
    return inTime(context, about, interaction, id, () => started(context, about, interaction, { user, id }));
  return inTime(context, about, interaction, id, () => press(context, about, interaction, user));
}

/** `/start pipeline: … args: …`. */
async function started(
  context: CallbackContext,
  about: RequestFacts,
  { data }: Interaction,
  who: { user: string; id: string },
): Promise<JsonObject> {
  if (data.name !== 'start') throw new CallbackRefused(400, 'this is not a command of Thermidor');
  const option = (wanted: string): string => data.options.find(({ name }) => name === wanted)?.value ?? '';
  const words = startWords(`${option('pipeline')} ${option('args')}`);
  return ephemeral(await startFromChat(context, about, 'discord', { ...who, words }));
}

/** Which button was pressed, or which form was sent, and by which user. */
async function press(context: CallbackContext, about: RequestFacts, interaction: Interaction, user: string): Promise<JsonObject> {
  const { type, data } = interaction;
  const button = readButton(data.custom_id);
  if (button === undefined || (type !== INTERACTION_TYPES.component && type !== INTERACTION_TYPES.modalSubmit)) {
    throw new CallbackRefused(400, 'this is not a button of Thermidor');
  }
  const by = personOf(context.ports.directory, 'discord', user);
  about.by = by;
  const gate = await gateOf(context, about, button.key);
  const now = await context.ports.gateNow(gate, LOOK_LIMIT_MS);
  const form = type === INTERACTION_TYPES.component && now.kind !== 'closed' ? formFor(gate, button, now) : undefined;
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
function formFor({ kind, step }: GateLink, button: PressedButton, now: GateNow): JsonObject | undefined {
  const title = `${button.choice}: ${step}`;
  if (kind === 'input') return modal(button, title, { id: 'response', label: 'Your answer (text or JSON)', required: true });
  const required = needsComment(now, button.choice);
  if (!required && button.choice !== 'reject') return undefined;
  return modal(button, title, { id: 'comment', label: required ? 'Why' : 'Why (optional)', required });
}

async function inTime(
  context: CallbackContext,
  about: RequestFacts,
  interaction: Interaction,
  id: string,
  work: () => Promise<JsonObject>,
): Promise<ChatReply> {
  const working = work().then(
    (body) => ({ body, status: 200 }),
    (error: unknown) => {
      const { status, message } = refusalInWords(context, about, id, error);
      return { body: ephemeral(`Not taken: ${message}`), status };
    },
  );
  const done = await withinLimit(working, context.settings.chatWaitMs ?? CHAT_WAIT_MS);
  if (done) return done.value;
  context.later(working.then(({ body }) => follow(context, interaction, body)));
  return { body: DEFERRED, status: 202 };
}

/** The words of an answer of ours. */
const WORDS = fields({ data: fields({ content: text }) });

/** Reports a late outcome by the interaction's own webhook. */
async function follow({ settings, ports }: CallbackContext, interaction: Interaction, reply: JsonObject): Promise<void> {
  const { application_id: application = '', token = '' } = interaction;
  if (!/^\d{1,24}$/.test(application) || token === '') return ports.warn('Discord gave no way to report the outcome of an answer');
  const url = `${settings.reportTo?.discord ?? DISCORD_API}/webhooks/${application}/${encodeURIComponent(token)}/messages/@original`;
  const response = await fetch(url, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(followUp(WORDS.parse(reply).data.content ?? 'done')),
    redirect: 'manual',
    signal: AbortSignal.timeout(FOLLOW_UP_LIMIT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) ports.warn(`Discord answered ${response.status} to the report of an answer’s outcome`);
}
