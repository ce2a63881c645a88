import { DISCORD } from './discord/manifest';
import type { ChatManifest } from './manifest';
import { SLACK } from './slack/manifest';

/** The chats: addresses of channels, ids of people, proofs and settings derive from this table. */
export const CHATS = {
  discord: DISCORD,
  slack: SLACK,
} satisfies Record<string, ChatManifest>;

/** A service whose buttons and commands prove which of its users sent them. */
export type Chat = keyof typeof CHATS;

export const CHAT_NAMES = Object.keys(CHATS) as readonly Chat[];

/** A text for each chat that has one. */
export type ChatTexts = { [C in Chat]?: string };

/** The chats as a sentence names them: `Discord or Slack`. */
export const ANY_CHAT = CHAT_NAMES.map((chat) => CHATS[chat].title).join(' or ');
