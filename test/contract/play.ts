import type { AgentAdapter } from '../../activities/agent-port';
import type { Usage } from '../../plan/budgets/usage';
import type { Json } from '../../plan/text/json';

/**
 * What the contract asks of the author of an adapter: a stand-in for its other side, the service or the program, that plays what a rule
 * describes in these terms, and reports what it has seen. Nothing here knows a protocol.
 */

/** What the other side of an adapter does. */
export interface Play {
  /** The n-th reply goes to a caller with n-1 of them in its context, however often it asks. */
  replies: readonly PlayedReply[];
  /** Given to a request that is no part of the agent's conversation, such as for a summary of it: nothing says who the agent is. */
  aside?: PlayedReply;
  faults?: readonly PlayedFault[];
}

export interface PlayedReply {
  text?: string;
  /** The calls of the reply, all at once. If there are several, abilities must have `calls-at-once`. */
  calls?: readonly { tool: string; args: Json }[];
  /** The usage that it reports, which may have fields that it should not report. @default 10 tokens in, 5 out */
  usage?: Pick<Usage, 'inputTokens' | 'outputTokens'>;
  /** `cut`: it reached the service's limit; `refused`: the model refused to answer. Needs `stops`. */
  stop?: 'cut' | 'refused';
  /** The model that answered, by the service's word. @default the requested model */
  model?: string;
  /** Its text has bytes that are not UTF-8, in the place of `\u0000`. Needs `bytes`. */
  raw?: true;
}

/** Happens once: when the n-th reply is asked for the first time. */
export interface PlayedFault {
  at: number;
  fault: Fault;
}

export type Fault =
  /** Nothing comes until `go` is called or it is cancelled. */
  | { kind: 'silent' }
  /** The reply begins, and then nothing more comes until it is cancelled. Needs `streams`. */
  | { kind: 'stalled' }
  /** The reply has come, and its calls do not end until it is cancelled. Needs `own-tools` and `streams`. */
  | { kind: 'busy' }
  /** 5xx, or the program ends with an error. Nothing is paid. */
  | { kind: 'error' }
  /** Needs `overload`. */
  | { kind: 'overloaded'; retryAfterMs?: number }
  /** The connection is cut before the first byte of an answer. Needs `service`, as do all that follow. */
  | { kind: 'lost' }
  /** The connection is cut within the reply; the part that came is paid for. */
  | { kind: 'broken' }
  /** The first piece of the reply is not JSON. */
  | { kind: 'garbled' }
  /** A page for people, with status 200. */
  | { kind: 'web-page' }
  /** The message has the key in it, as some services do. */
  | { kind: 'unauthorized' }
  | { kind: 'unknown-model' }
  /** The context is too long. The next request that is shorter is answered. */
  | { kind: 'overflow' };

export const USAGE: NonNullable<PlayedReply['usage']> = { inputTokens: 10, outputTokens: 5 };

/** The abilities that an adapter may have. A rule that needs one is only for adapters that have it. */
export const ABILITIES = {
  'runner-tools': 'calls the tools that a request brings',
  'own-tools': 'its program has tools of its own, and reports each call and its result',
  'calls-at-once': 'a reply may call several tools',
  'turn-by-turn': 'asks its other side for one reply at a time, so that a budget stops it between two',
  limits: 'asks for no reply that is longer than it may be',
  stops: 'distinguishes a truncated or refused reply from a whole one',
  'names-model': 'its other side says which model has answered',
  'usage-by-reply': 'its other side says with each reply what that has used',
  'early-usage': 'its other side says what a reply reads before the reply comes',
  streams: 'receives pieces of a reply before its end',
  overload: 'distinguishes overload from other errors',
  bytes: 'reads bytes, which may be no UTF-8',
  context: 'sends the whole context with each request',
  service: 'speaks to a service with a key over a connection',
  program: 'starts a program',
} as const;
export type Ability = keyof typeof ABILITIES;

/** One request for a reply, as the other side saw it. */
export interface Asked {
  /** The unchanging part, as it was sent: who the agent is, and its tools. */
  stable: string;
  /** The messages of both sides as they were sent, oldest first, without marks that only serve caching. */
  messages: readonly string[];
  model?: string;
  /** Idempotency key of a request, where the other side gets one. */
  key?: string;
}

export interface Harness {
  adapter: AgentAdapter;
  play(play: Play): void;
  /** Every request for a reply. */
  asked(): readonly Asked[];
  /** Replies that somebody paid for: whole ones, and broken ones whose usage was reported. */
  paid(): number;
  /** Resolves the next time that the other side waits in a `silent`, `stalled` or `busy` reply. */
  still(): Promise<void>;
  /** Ends the wait of a `silent` reply, which comes now. */
  go(): void;
  /** Resolves once no connection is open and no program runs. */
  gone(): Promise<void>;
  /** The environment in which `program` was started. */
  environment?(): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** How a harness is set up for one rule. */
export interface Setting {
  /** Called before the other side answers a request, if it runs in this process. */
  onAsked(): void;
  /** The header or variable that carries the key of `service`. */
  key: { name: string; value?: string };
  /** Variables of the worker's environment. */
  environment: Readonly<Record<string, string>>;
}

export type MakeHarness = (setting: Setting) => Promise<Harness>;

export interface AdapterUnderTest {
  abilities: readonly Ability[];
  make: MakeHarness;
  /** It shares its transport with another adapter, for which `npm test` runs the rules about a worker that dies again and again. */
  byAnothersTransport?: true;
}
