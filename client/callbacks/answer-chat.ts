import { CHAT_CALLBACKS } from '../../channels/callbacks';
import { CHATS, type Chat } from '../../channels/chats';
import type { CallbackContext } from './callback-context';
import type { ChatReply } from './chat-callback';
import { CallbackRefused } from './refusal';
import type { RequestFacts } from './refusal-record';

/**
 * Takes a request of a chat. Invariant: nothing of it is believed before its signature is checked, over exactly the bytes that came.
 * Throws `CallbackRefused`.
 */
export async function answerChat(
  context: CallbackContext,
  chat: Chat,
  about: RequestFacts,
  body: Buffer,
  headers: Headers,
): Promise<ChatReply> {
  const { title, proof } = CHATS[chat];
  const key = context.settings.chats?.[chat];
  if (key === undefined) throw new CallbackRefused(404, `nothing is taken from ${title} here: callbacks.${proof.key} is not set`);
  const { signatureIn, isSigned, answer } = CHAT_CALLBACKS[chat];
  const { signature, timestamp } = signatureIn(headers);
  if (!isSigned(key, timestamp, body, signature)) throw new CallbackRefused(401, `the signature is not ${title}’s`);
  context.replays.checkTime(timestamp);
  return await answer(context, about, { body, signature });
}
