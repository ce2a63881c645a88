import type { BudgetSpec } from './budgets/budget';
import type { Expr } from './expressions/expression';
import type { MemorySpec } from './memory/recall';
import type { Category } from './people/category';
import type { ChatTexts } from './people/chats';
import type { DecisionPolicy } from './people/decision-policy';
import type { Sha256 } from './run/artifact';
import type { EscalationTarget } from './steps/action';
import type { Block } from './steps/step';
import type { Json } from './text/json';
import type { WebhookTrigger } from './web-hook';

/** Semantics are frozen per version; a plan of another version is refused with `plan.version`. */
export const IR_VERSION = 2;

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
  /** The others of a file that has several. */
  moreTriggers?: AppliedTrigger[];
  /** The time zone of a run without a cron trigger. @default 'UTC' */
  timezone?: string;
  args?: Record<string, ArgSpec>;
  /** The context of all agents of a run, by name. An arg of the same name overrides it. */
  context?: Record<string, Json>;
  agents?: Record<string, AgentEntry>;
  /** Steps in flight at once, 1–64. @default 8 */
  concurrent?: number;
  /** Who gets a block, or a review that used up its revisions; the last is always a human. */
  escalation?: EscalationTarget[];
  channels?: Record<string, ChannelSpec>;
  block: Block;
  /** A sequence that runs whatever happened; a failure in it is reported and never hides the run's own. */
  finally?: Block;
  /** The memory of agents that have none of their own. */
  memory?: MemorySpec;
  /** The run's result. Absent: the artifact of the last step that ran. */
  output?: Expr;
  /**
   * The rules of Lobster files: references are put into commands as raw text, text that is no JSON has no output, commands get
   * the caller's environment, and the result is the last step's as a list. Absent: the strict dialect.
   */
  dialect?: 'lobster';
  /** How deep agents may spawn (`agents/spawn-depth.ts`), 1–5; from 2 on it makes no difference. @default 1 */
  depth?: number;
  /** How many children of one agent live at once, 1–20. @default 5 */
  children?: number;
  budget?: BudgetSpec;
  /** Who approves actions of a category. A category that is not listed uses the channel `#approvals` and takes anyone. */
  requiresApproval?: Partial<Record<Category, CategoryPolicy>>;
  /** Who may decide in an approver's place, by approver. */
  delegates?: Record<string, string[]>;
}

export interface CategoryPolicy extends DecisionPolicy {
  timeoutMs?: number;
}

export const DEFAULT_CONCURRENT = 8;
/** Respawns after a timeout or an incomplete reply (docs/protocol.md, "What the source leaves open"). */
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
  /** Some of its tools need a person's yes: a step of its may open a gate. */
  gated?: true;
}

/**
 * Where a channel leads, besides the console inbox: incoming webhooks of chats, and more. Addresses and keys may be `secret://…`
 * references.
 */
export interface ChannelSpec extends ChatTexts {
  webhook?: string;
  /** The key that signs posts to `webhook` (HMAC-SHA-256). Absent: requests are not signed. */
  webhookSecret?: string;
  /** Addresses of people, by the worker's mail server. */
  email?: string[];
  mention?: string;
  /** Who decides at the channel's gates that name nobody: people and groups, as written. */
  approvers?: string[];
}

/** The channel in which the run asks people if the pipeline names none. */
export const APPROVALS_CHANNEL = '#approvals';

export const OVERLAPS = ['skip', 'buffer_one', 'buffer_all', 'cancel_other', 'terminate_other', 'allow_all'] as const;

/** A trigger that `schedule apply` puts on the server: one of times, or a web hook. */
export type AppliedTrigger = CronTrigger | WebhookTrigger;
export type Trigger = { kind: 'manual' } | AppliedTrigger;

/** Every trigger that is applied, in the order of the file. */
export function triggersOf({ trigger, moreTriggers = [] }: Pick<Plan, 'trigger' | 'moreTriggers'>): AppliedTrigger[] {
  return trigger.kind === 'manual' ? [] : [trigger, ...moreTriggers];
}

/** Those of times. */
export function cronTriggersOf(plan: Pick<Plan, 'trigger' | 'moreTriggers'>): CronTrigger[] {
  return triggersOf(plan).filter((trigger) => trigger.kind === 'cron');
}

/** The id of a trigger's schedule: its pipeline's name, with its own after a dot, which no name of a pipeline has. */
export function scheduleIdOf(pipeline: string, { name }: Pick<AppliedTrigger, 'name'>): string {
  return name === undefined ? pipeline : `${pipeline}.${name}`;
}

/** The time zone of a pipeline: that of its first times, or the installation's. */
export function timezoneOf(plan: Pick<Plan, 'trigger' | 'moreTriggers' | 'timezone'>): string {
  return cronTriggersOf(plan)[0]?.timezone ?? plan.timezone ?? 'UTC';
}

export interface CronTrigger {
  kind: 'cron';
  /** Tells it from others of its pipeline. */
  name?: string;
  expressions: string[];
  /** @default 'UTC' */
  timezone: string;
  /** @default 'skip' */
  overlap: (typeof OVERLAPS)[number];
  /** How late a missed run may still start. @default 600000 */
  catchupMs: number;
  jitterMs?: number;
  paused?: true;
  /** The args of every run that it starts. */
  args?: Record<string, Json>;
}

/** An agent as its file defines it; the blob behind `AgentEntry.definition`. */
export interface AgentDefinition {
  id: string;
  title?: string;
  /** The standing instructions: who the agent is and how it works. */
  role: string;
  adapter?: string;
  model?: string;
  reportsTo?: string;
  timeoutMs?: number;
  /** One line that says what the agent is for. */
  description?: string;
  /** Replaces the pipeline's memory. */
  memory?: MemorySpec;
  /**
   * The tools it may use, by name; `mcp__server` is every tool of that server. Absent: the tools that reach nothing beyond the run, and
   * none that touches files, programs or the network.
   */
  tools?: string[];
  /** It is a role of a brief's team. Asked by anybody else, such as a post-mortem, it has no tools. */
  isBriefRole?: true;
  /** It works as a role that an application's workers register: instructions and tools are those of the worker. */
  registeredRole?: string;
  /** Servers of tools that come with it, by name: each a program with its arguments. They win over the worker's. */
  toolServers?: Readonly<Record<string, readonly string[]>>;
  /** The schema of a step's reply if the step names none of its own. */
  schema?: Sha256;
  limits?: AgentLimits;
  /** Instructions that it loads by name when it needs them. */
  skills?: Skill[];
  /** The pipelines that it may start. */
  pipelines?: StartablePipeline[];
  /** The agents whose advice it may ask for, by topic. */
  consultants?: Record<string, string>;
  /** Tools that need a person's yes for each call, by category. */
  categories?: Partial<Record<Category, string[]>>;
}

/** A pipeline that an agent may start as a run of its own. */
export interface StartablePipeline {
  name: string;
  /** Absent: the plan that contains this one is of this pipeline, which is not started from within itself. */
  plan?: Sha256;
  description?: string;
  args?: Record<string, ArgSpec>;
}

/** Limits of one try of an agent. */
export interface AgentLimits {
  /** Replies of the model. @default 50 */
  turns?: number;
  toolCalls?: number;
  /** The limit of one reply. */
  replyTokens?: number;
  /** The limit of thinking in one reply. */
  thinkingTokens?: number;
}

/** Model turns of one try, if the agent's file does not say. */
export const DEFAULT_TURNS = 50;
/** Model turns of one try of an engineer in a team, if its file does not say. */
export const ENGINEER_TURNS = 80;

/** A folder of instructions. `files` are by path within it; `SKILL.md` is read first. */
export interface Skill {
  name: string;
  description: string;
  files: Record<string, Sha256>;
}
