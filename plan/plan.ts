import type { EscalationTarget } from './action';
import type { Sha256 } from './artifact';
import type { Expr } from './expression';
import type { Json } from './json';
import type { Block, BudgetSpec } from './step';

/** Semantics are frozen per version; a plan of another version is refused with `plan.version`. */
export const IR_VERSION = 1;

/** What the compiler makes of a pipeline: closed, checked JSON that a workflow executes. Never edited after it is frozen. */
export interface Plan {
  irVersion: typeof IR_VERSION;
  name: string;
  description?: string;
  /** SHA-256 of the pipeline's source text. */
  source: Sha256;
  /** Who performs `action: self` and announces the end of the run. */
  owner?: string;
  trigger: Trigger;
  args?: Record<string, ArgSpec>;
  agents?: Record<string, AgentEntry>;
  /** Steps in flight at once, 1–64. @default 8 */
  concurrent?: number;
  /** Whom a block, or a review that used up its revisions, goes to; the last is always a human. */
  escalation?: EscalationTarget[];
  channels?: Record<string, ChannelSpec>;
  block: Block;
  /** A sequence that runs whatever happened; a failure in it is reported and never hides the run's own. */
  finally?: Block;
  /** The run's result. Absent: the artifact of the last step that ran. */
  output?: Expr;
  /**
   * The rules of Lobster files: references are put into commands as raw text, text that is no JSON has no output, commands get
   * the caller's environment, and the result is the last step's as a list. Absent: the strict dialect.
   */
  dialect?: 'lobster';
  /** How deep a step's agent may spawn, 1–5. @default 1 */
  depth?: number;
  /** Children of one agent, 1–20. @default 5 */
  children?: number;
  budget?: BudgetSpec;
}

export const DEFAULT_CONCURRENT = 8;
/** Respawns after a time-out or an incomplete reply (protocol.md point 11). */
export const RETRIES_PER_STEP = 3;

export const ARG_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;
export type ArgType = (typeof ARG_TYPES)[number];

export interface ArgSpec {
  /** Absent: any. */
  type?: ArgType;
  required?: true;
  default?: Json;
  enum?: Json[];
  description?: string;
  /** Takes a reference `secret://…` and nothing else; it is resolved in activities and never enters history. */
  secret?: true;
}

/** An agent in a plan; its whole definition (`AgentDefinition`) is a blob. */
export interface AgentEntry {
  definition: Sha256;
  /** Absent: the worker's default adapter. */
  adapter?: string;
  reportsTo?: string;
  timeoutMs?: number;
}

/** Where a channel leads, beside the console inbox. `webhook` is a URL or a `secret://…` reference to one. */
export interface ChannelSpec {
  webhook?: string;
  /** Incoming web hooks of Discord and Slack, as URLs or `secret://…` references. */
  discord?: string;
  slack?: string;
  mention?: string;
}

export const OVERLAPS = ['skip', 'buffer_one', 'buffer_all', 'cancel_other', 'terminate_other', 'allow_all'] as const;

export type Trigger = { kind: 'manual' } | CronTrigger;

export interface CronTrigger {
  kind: 'cron';
  expressions: string[];
  /** @default 'UTC' */
  timezone: string;
  /** @default 'skip' */
  overlap: (typeof OVERLAPS)[number];
  /** How late a missed run may still start. @default 600000 */
  catchupMs: number;
  jitterMs?: number;
  paused?: true;
}

/** What an agent is, as its file says; the blob behind `AgentEntry.definition`. */
export interface AgentDefinition {
  id: string;
  title?: string;
  /** The standing instructions: who the agent is and how it works. */
  role: string;
  adapter?: string;
  model?: string;
  reportsTo?: string;
  timeoutMs?: number;
  /** What it may use. Absent: what its adapter offers. */
  tools?: string[];
}
