import type { ChatCallback } from '../client/callbacks/chat-callback';
import type { Chat } from './chats';
import { DISCORD_CALLBACK } from './discord/callback';
import { SLACK_CALLBACK } from './slack/callback';

/** How the requests of each chat are proven and answered. */
export const CHAT_CALLBACKS: Readonly<Record<Chat, ChatCallback>> = {
  discord: DISCORD_CALLBACK,
  slack: SLACK_CALLBACK,
};
