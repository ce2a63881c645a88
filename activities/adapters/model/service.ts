import type { ToolCall, ToolSpec } from '../../../plan/agents/tool';
import type { Usage } from '../../../plan/budgets/usage';
import type { Json } from '../../../plan/text/json';
import type { Turn, TurnStop } from '../../../records/transcripts/turn';

/**
 * A service that answers with one reply of a model at a time. What goes around a reply, tools, limits, continuing after a crash, is
 * the same for all (`model-adapter.ts`).
 */
export interface ModelService {
  readonly name: string;
  /**
   * One reply to the whole context. Fails with `model.*`, `secret.missing`; with `BrokenReply` where something was paid for and the
   * reply did not come to its end.
   */
  reply(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /** How many tokens a request has, by the service's own counter, which costs nothing. Undefined where it does not say. */
  countInput?(request: CountRequest, signal: AbortSignal): Promise<number | undefined>;
}

export type CountRequest = Pick<ModelRequest, 'model' | 'system' | 'turns' | 'tools' | 'schema' | 'thinkingTokens'>;

export interface ModelRequest {
  idempotencyKey: string;
  model: string;
  system: string;
  /** The context as it is recorded; the last turn is a `user`'s, a `tool`'s, or the agent's that continues. Without `broken` ones. */
  turns: readonly Turn[];
  tools: readonly ToolSpec[];
  /** What the final reply must satisfy, for services that can hold a model to it. It is checked here afterwards all the same. */
  schema?: Json;
  /** Of this reply. */
  maxTokens?: number;
  /** How much of it may be thought. Absent: the model thinks as it does by itself. */
  thinkingTokens?: number;
  /** Called with each piece of the stream. */
  alive(): void;
  /**
   * Called before a request to a service that does not accept `maxTokens`. Throws where the budget forbids one; the caller does not
   * catch that.
   */
  unlimited?(): void;
}

export interface ModelReply {
  text: string;
  calls: readonly ToolCall[];
  /** Cost is null: prices are the runner's. Absent: the service does not say what was used, and nobody knows. */
  usage?: Usage;
  /** What answered, as the service says it. */
  model: string;
  /** Absent: it is whole, or it calls tools. `overflow`: the context does not fit, nothing was said. */
  stop?: Extract<TurnStop, 'goes-on' | 'cut' | 'empty' | 'refused'> | 'overflow';
  /** Its limit was the service's own, and not `maxTokens`. */
  ownLimit?: true;
  /** For the next request of the same context. */
  message?: Json;
}

/** A reply that was paid for and broke off; `cause` is what the request fails with. */
export class BrokenReply extends Error {
  override readonly name = 'BrokenReply';
  constructor(
    /** Undefined where the service had not said it by then: it has cost something, and nobody knows what. */
    readonly usage: Usage | undefined,
    readonly text: string,
    override readonly cause: Error,
  ) {
    super(cause.message, { cause });
  }
}
