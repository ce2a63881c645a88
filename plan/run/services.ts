import type { ChatTexts } from '../people/chats';

/** The mail server of a worker. Both may hold `secret://…`. */
export interface MailSpec {
  /** `smtp://user:password@host:587`, `smtps://…`, or a reference to such a text. */
  smtp: string;
  /** The sender's address. */
  from: string;
}

/** The listener for answers from chats, links and webhooks. An absent key has the listener's own default, or is off. */
export interface CallbackSpec {
  host?: string;
  /** 0 means any free port. */
  port?: number;
  /** The address at which it can be reached from outside, without a slash at the end. */
  url?: string;
  /** `secret://…`: the key that seals links and answers. Absent: one of the state folder's own. */
  secret?: string;
  /** What proves a request of each chat: a public key, or `secret://…`. */
  chats?: ChatTexts;
  /** Pipelines that people may start by a command of their chat. */
  start?: string[];
  /** `secret://…` by the name of a team: what signs tasks that programs give to it. */
  teams?: Record<string, string>;
  /** Requests a minute from one sender. */
  rate?: number;
}

/** What is sealed, and with what. Keys are `secret://…`, by id. */
export interface EncryptionSpec {
  /** Each opens what it has sealed. */
  keys: Record<string, string>;
  /** The id of the one that seals. */
  use: string;
  /** Whether a state folder's content is sealed as a database's is. @default true */
  folder?: boolean;
  /** Who may have payloads opened for Temporal's UI and command line. @default nobody */
  codec?: CodecSpec;
}

export interface CodecSpec {
  people: string[];
  /** The addresses of pages that may ask. @default no page may */
  origins?: string[];
}

/** The collector that gets traces, over OTLP/HTTP. */
export interface TraceSpec {
  url: string;
  /** Sent with each request; values may be `secret://…`. */
  headers?: Record<string, string>;
}

/** Where a worker serves monitoring: `/metrics`, `/healthz`, `/readyz`. */
export interface WatchSpec {
  /** @default 127.0.0.1 */
  host?: string;
  /** 0 means any free port. */
  port: number;
}
