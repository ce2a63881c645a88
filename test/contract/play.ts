import type { AgentAdapter } from '../../activities/agent-port';
import type { Usage } from '../../plan/budgets/usage';
import type { Json } from '../../plan/text/json';

/**
 * What the contract asks of the author of an adapter: a stand-in for its other side, the service or the program, that plays what a
 * rule tells it in these words, and says what it has seen. Nothing here knows a protocol.
 */

/** What the other side of an adapter does. */
export interface Play {
  /** The n-th goes to a caller with n-1 of them in its context, as often as it asks. */
  replies: readonly PlayedReply[];
  /** Given to a request that is no part of the agent's conversation, such as for a summary of it: nothing says who the agent is. */
  aside?: PlayedReply;
  faults?: readonly PlayedFault[];
}

export interface PlayedReply {
  text?: string;
  /** All at once. With several, abilities must have `calls-at-once`. */
  calls?: readonly { tool: string; args: Json }[];
  /** What it tells; what it should not tell may stand there too. @default 10 tokens in, 5 out */
  usage?: Pick<Usage, 'inputTokens' | 'outputTokens'>;
  /** `cut`: the service's limit came before its end; `refused`: the model would not. Needs `stops`. */
  stop?: 'cut' | 'refused';
  /** What the service says that answered. @default the model that was asked for */
  model?: string;
  /** Its text has bytes in it that are no UTF-8, in the place of `\u0000`. Needs `bytes`. */
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
  /** The reply has come, and what it calls does not end until it is cancelled. Needs `own-tools` and `streams`. */
  | { kind: 'busy' }
  /** 5xx, or the program ends with an error. Nothing is paid. */
  | { kind: 'error' }
  /** Needs `overload`. */
  | { kind: 'overloaded'; retryAfterMs?: number }
  /** The connection is cut before the first byte of an answer. Needs `service`, as do all that follow. */
  | { kind: 'lost' }
  /** The connection is cut within the reply; what came of it is paid for. */
  | { kind: 'broken' }
  /** The first piece of the reply is no JSON. */
  | { kind: 'garbled' }
  /** A page for people, with status 200. */
  | { kind: 'web-page' }
  /** The message has the key in it, as some services do. */
  | { kind: 'unauthorized' }
  | { kind: 'unknown-model' }
  /** The context is too long. The next request that is shorter is answered. */
  | { kind: 'overflow' };

export const USAGE: NonNullable<PlayedReply['usage']> = { inputTokens: 10, outputTokens: 5 };

/** What an adapter may be able to do or not; a rule that needs an ability is a rule for those that have it. */
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
  /** What stays the same: who the agent is, and its tools, as they were sent. */
  stable: string;
  /** The messages of both sides as they were sent, oldest first, without marks that are for caching alone. */
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
  /** Resolves the next time that the other side stands still, in a `silent`, `stalled` or `busy` reply. */
  still(): Promise<void>;
  /** Ends the stillness of a `silent` reply: it comes. */
  go(): void;
  /** Resolves once no connection is open and no program runs. */
  gone(): Promise<void>;
  /** The environment that `program` has seen. */
  environment?(): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** How a harness is set up for one rule. */
export interface Setting {
  /** Called when the other side is asked for a reply, before it answers; where it is in this process. */
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
  /** It comes by the transport of another adapter, for which `npm test` shows the rules of a worker that dies again and again. */
  byAnothersTransport?: true;
}
