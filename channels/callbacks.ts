import type { CallbackWays, ChatCallback } from '../client/callbacks/chat-callback';
import type { Chat } from '../plan/people/chats';
import { DISCORD_CALLBACK } from './discord/callback';
import { SLACK_CALLBACK } from './slack/callback';
import { answerWebhook } from './webhook/callback';

const CHAT_CALLBACKS: Readonly<Record<Chat, ChatCallback>> = {
  discord: DISCORD_CALLBACK,
  slack: SLACK_CALLBACK,
};

/** How the requests of each chat, and of what webhooks lead to, are proven and answered. */
export const CALLBACK_WAYS: CallbackWays = { chats: CHAT_CALLBACKS, webhook: answerWebhook };
