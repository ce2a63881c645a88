import type { z } from 'zod';
import { type CallbackContext, CHAT_WAIT_MS } from '../../client/callbacks/callback-context';
import {
  admit,
  type ChatCallback,
  type ChatReply,
  type ProvenRequest,
  refusalInWords,
  withinLimit,
} from '../../client/callbacks/chat-callback';
import { type CallbackAnswer, decidedLine, decideGate } from '../../client/callbacks/decide';
import { gateOf, jsonOrPlainText, type PressedButton, personOf, readButton, readObject } from '../../client/callbacks/read-request';
import { CallbackRefused } from '../../client/callbacks/refusal';
import type { RequestFacts } from '../../client/callbacks/refusal-record';
import { hmac, isSame } from '../../client/callbacks/signatures';
import { startFromChat, startWords } from '../../client/callbacks/start';
import { joined } from '../../plan/text/joined';
import type { JsonObject } from '../../plan/text/json';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import { fields, item, listOf, mapOf, text } from '../../records/outside-json';

const SLACK_ORIGIN = 'https://hooks.slack.com';
const RESULT_LIMIT_MS = 5_000;

const PAYLOAD = fields({
  type: text,
  user: fields({ id: text }),
  response_url: text,
  actions: listOf(fields({ value: text })),
  /** What is written into the inputs of the message, by the ids of their blocks and actions. */
  state: fields({ values: mapOf(mapOf(fields({ value: text }))) }),
  message: fields({ text, blocks: listOf(item) }),
});

type Payload = z.infer<typeof PAYLOAD>;

/**
 * Slack's request URL for interactivity and commands. The v0 signature proves that a request is Slack's, and Slack which user pressed.
 *
 * Invariants: 1. Slack has its 200 within three seconds, else it shows an error; what became of the choice is posted to the message's
 * `response_url`, refusals too; 2. that address is posted to only if it is Slack's own.
 */
export const SLACK_CALLBACK: ChatCallback = {
  contentType: 'application/x-www-form-urlencoded',
  signatureIn: (headers) => ({
    signature: headers.get('x-slack-signature') ?? '',
    timestamp: headers.get('x-slack-request-timestamp') ?? '',
  }),
  /** `v0=` and the HMAC-SHA-256 over `v0:timestamp:body`. */
  isSigned: (secret, timestamp, body, signature) => isSame(signature, `v0=${hmac(secret, Buffer.from(`v0:${timestamp}:`), body)}`),
  challenge(body) {
    const { type, challenge } = CHALLENGE.parse(parseUntrustedJson(body.toString('utf8')));
    return type === 'url_verification' && challenge !== undefined ? { status: 200, body: { challenge } } : undefined;
  },
  answer,
};

const CHALLENGE = fields({ type: text, challenge: text });

async function answer(context: CallbackContext, about: RequestFacts, { body, signature }: ProvenRequest): Promise<ChatReply> {
  const form = new URLSearchParams(body.toString('utf8'));
  const id = `slack:${signature}`;
  if (form.has('command')) return await answerCommand(context, about, form, id);
  const payload = PAYLOAD.parse(readObject(form.get('payload') ?? ''));
  const user = payload.user.id;
  if (user === undefined) throw new CallbackRefused(400, 'the user is missing');
  admit(context, about, 'slack', user, id);
  const [button] = payload.actions.flatMap(({ value }) => readButton(value) ?? []);
  // A press of a link is reported too; it asks for nothing.
  if (payload.type !== 'block_actions' || button === undefined) return { status: 200 };
  const working = result(context, about, id, () => press(context, about, payload, button, user));
  return await reported(context, payload.response_url, working);
}

/** `/thermidor start daily market=BTC`. */
async function answerCommand(context: CallbackContext, about: RequestFacts, form: URLSearchParams, id: string): Promise<ChatReply> {
  const user = form.get('user_id');
  if (!user) throw new CallbackRefused(400, 'the sender is missing');
  admit(context, about, 'slack', user, id);
  const working = result(context, about, id, async () => {
    const words = startWords(form.get('text') ?? '');
    return { status: 200, reply: whisper(await startFromChat(context, about, 'slack', { user, id, words })) };
  });
  return await reported(context, form.get('response_url') ?? undefined, working);
}

/** The outcome of the answer, if it is known in time; it is posted to `response_url` in either case. */
async function reported(context: CallbackContext, address: string | undefined, working: Promise<Result>): Promise<ChatReply> {
  const done = await withinLimit(working, context.settings.chatWaitMs ?? CHAT_WAIT_MS);
  context.later(working.then(({ reply }) => sendReply(context, address, reply)));
  return { status: done?.value.status ?? 202 };
}

interface Result {
  status: number;
  reply: JsonObject;
}

async function press(
  context: CallbackContext,
  about: RequestFacts,
  payload: Payload,
  { choice, key }: PressedButton,
  user: string,
): Promise<Result> {
  const by = personOf(context.ports.directory, 'slack', user);
  about.by = by;
  const gate = await gateOf(context, about, key);
  const [comment, response] = [written(payload, 'comment'), written(payload, 'response')];
  const answer = joined<CallbackAnswer>({
    gate,
    choice,
    by,
    channel: 'slack',
    comment,
    response: response === undefined ? undefined : jsonOrPlainText(response),
  });
  const decided = await decideGate(context, answer);
  const line = decidedLine(answer, decided);
  return { status: 200, reply: decided.more ? whisper(line) : replaced(payload, line) };
}

async function result(context: CallbackContext, about: RequestFacts, id: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { status, message } = refusalInWords(context, about, id, error);
    const where = about.gate === undefined ? '' : `\n${context.ports.commands(about.gate).join('\n')}`;
    return { status, reply: whisper(`Not taken: ${message}${status === 400 || status === 403 ? where : ''}`) };
  }
}

/** The text written into an input of the message, by the id of its action. */
function written({ state }: Payload, id: string): string | undefined {
  const texts = Object.values(state.values).map((inputs) => (Object.hasOwn(inputs, id) ? inputs[id]?.value : undefined));
  return texts.find((text = '') => text.trim() !== '');
}

/** Words that only the person who pressed sees. */
function whisper(text: string): JsonObject {
  return { response_type: 'ephemeral', replace_original: false, text: escaped(text) };
}

/** The asking message changed to show the decision, without buttons. */
function replaced({ message }: Payload, line: string): JsonObject {
  const before = message.text;
  const blocks = message.blocks.filter((block) => !['actions', 'input'].includes(BLOCK.parse(block).type ?? ''));
  const said = { type: 'context', elements: [{ type: 'mrkdwn', text: escaped(line) }] };
  return {
    replace_original: true,
    text: before === undefined ? escaped(line) : `${before}\n${escaped(line)}`,
    ...(blocks.length === 0 ? {} : { blocks: [...blocks, said] }),
  };
}

const BLOCK = fields({ type: text });

/** Escapes Slack's own marks in a text. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function sendReply({ settings, ports }: CallbackContext, address: string | undefined, reply: JsonObject): Promise<void> {
  if (address === undefined || !URL.canParse(address) || new URL(address).origin !== (settings.reportTo?.slack ?? SLACK_ORIGIN)) {
    return ports.warn('the outcome of an answer was not reported: its response_url is not Slack’s');
  }
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(reply),
    redirect: 'manual',
    signal: AbortSignal.timeout(RESULT_LIMIT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) ports.warn(`Slack answered ${response.status} to the report of an answer’s outcome`);
}
