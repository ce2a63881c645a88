/**
 * What every room may know of a chat: plain data, also for workflow code. A chat has one name, which is its folder in `channels/`, its key
 * under `channels.NAME` (the address of its incoming webhook) and `people.NAME` (the user id that it proves), and the listener's path.
 */
export interface ChatManifest {
  /** As people read it. */
  title: string;
  /** The largest report that goes with a message as a file. Absent: a report is text within the message. */
  fileMiB?: number;
  /** What the listener checks the chat's requests with. */
  proof: {
    /** Its key under `callbacks:`. */
    key: string;
    /** The hexadecimal digits of a public key. Absent: a secret, which settings only refer to. */
    hexDigits?: number;
  };
}

const ROWS = {
  // Discord takes 10 MiB, the message included.
  discord: { title: 'Discord', fileMiB: 8, proof: { key: 'discord_public_key', hexDigits: 64 } },
  // Slack's incoming webhooks take no files.
  slack: { title: 'Slack', proof: { key: 'slack_signing_secret' } },
} satisfies Record<string, ChatManifest>;

/** A service whose buttons and commands prove which of its users sent them. */
export type Chat = keyof typeof ROWS;

/** The chats: addresses of channels, ids of people, proofs and settings derive from this table. */
export const CHATS: Readonly<Record<Chat, ChatManifest>> = ROWS;

export const CHAT_NAMES = Object.keys(CHATS) as readonly Chat[];

/** A text for each chat that has one. */
export type ChatTexts = { [C in Chat]?: string };

/** The chats as a sentence names them: `Discord or Slack`. */
export const ANY_CHAT = CHAT_NAMES.map((chat) => CHATS[chat].title).join(' or ');
