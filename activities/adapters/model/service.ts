import type { ToolCall, ToolSpec } from '../../../plan/agents/tool';
import type { Usage } from '../../../plan/budgets/usage';
import type { Json } from '../../../plan/text/json';
import type { Turn, TurnStop } from '../../../records/transcripts/turn';

/**
 * A service that answers with one reply of a model at a time. The work around a reply, tools, limits, continuing after a crash, is the same
 * for all (`model-adapter.ts`).
 */
export interface ModelService {
  readonly name: string;
  /**
   * One reply to the whole context. Fails with `model.*`, `secret.missing`; with `BrokenReply` if something was paid for and the reply did
   * not end.
   */
  reply(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /** How many tokens a request has, by the service's own counter, which costs nothing. Undefined if it has none. */
  countInput?(request: CountRequest, signal: AbortSignal): Promise<number | undefined>;
}

export type CountRequest = Pick<ModelRequest, 'model' | 'system' | 'turns' | 'tools' | 'schema' | 'thinkingTokens'>;

export interface ModelRequest {
  idempotencyKey: string;
  model: string;
  system: string;
  /** The recorded context; the last turn is a `user`'s, a `tool`'s, or that of the agent that continues. Without `broken` ones. */
  turns: readonly Turn[];
  tools: readonly ToolSpec[];
  /** The schema of the final reply, for services that can hold a model to it. It is still checked here afterwards. */
  schema?: Json;
  /** The limit of this reply. */
  maxTokens?: number;
  /** How much of it may be thinking. Absent: the model's own default. */
  thinkingTokens?: number;
  /** Called with each piece of the stream. */
  alive(): void;
  /**
   * Called before a request to a service that does not accept `maxTokens`. Throws if the budget forbids one; the caller does not catch
   * that.
   */
  unlimited?(): void;
}

export interface ModelReply {
  text: string;
  calls: readonly ToolCall[];
  /** Cost is null: the runner knows prices. Absent: the service does not report its usage. */
  usage?: Usage;
  /** The model that answered, as the service reports it. */
  model: string;
  /** Absent: it is complete, or it calls tools. `overflow`: the context does not fit, nothing was said. */
  stop?: Extract<TurnStop, 'goes-on' | 'cut' | 'empty' | 'refused'> | 'overflow';
  /** The limit was the service's own, and not `maxTokens`. */
  ownLimit?: true;
  /** Data for the next request of the same context. */
  message?: Json;
}

/** A paid reply that broke off; `cause` is the failure of the request. */
export class BrokenReply extends Error {
  override readonly name = 'BrokenReply';
  constructor(
    /** Undefined if the service had not reported it yet: the cost is unknown. */
    readonly usage: Usage | undefined,
    readonly text: string,
    override readonly cause: Error,
  ) {
    super(cause.message, { cause });
  }
}
