import type { ChatTexts } from '../../channels/chats';

/** The mail server of a worker. Both may hold `secret://…`. */
export interface MailSpec {
  /** `smtp://user:password@host:587`, `smtps://…`, or a reference to such a text. */
  smtp: string;
  /** The sender's address. */
  from: string;
}

/** The listener for answers from chats, links and webhooks. What is absent has the listener's own default, or is off. */
export interface CallbackSpec {
  host?: string;
  /** 0 is any free one. */
  port?: number;
  /** Where it can be reached from outside, without a slash at the end. */
  url?: string;
  /** `secret://…`: the key that links and answers are sealed with. Absent: one of the state folder's own. */
  secret?: string;
  /** What proves a request of each chat: a public key, or `secret://…`. */
  chats?: ChatTexts;
  /** Pipelines that people may start by a command of their chat. */
  start?: string[];
  /** Requests a minute from one sender. */
  rate?: number;
}

/** Where a worker answers what looks after it: `/metrics`, `/healthz`, `/readyz`. */
export interface WatchSpec {
  /** @default 127.0.0.1 */
  host?: string;
  /** 0 is any free one. */
  port: number;
}
