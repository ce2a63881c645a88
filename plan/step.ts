import type { Action } from './action';
import type { Sha256 } from './artifact';
import type { Expr, Path, RecordField, Template } from './expression';

/**
 * A step of a frozen plan. Names are resolved, durations are integer milliseconds, expressions are parsed. A key that is
 * absent means "none", so a plan of a thousand plain steps stays small in workflow history.
 */
export type Step = AgentStep | ReviewStep | CommandStep | ApprovalStep | NotifyStep | WaitStep;

export const STEP_KINDS = ['agent', 'review', 'command', 'approval', 'notify', 'wait'] as const satisfies readonly Step['kind'][];
export type StepKind = Step['kind'];

export interface StepBase {
  id: string;
  description?: string;
  /** Graph order only: what must be settled first. In a sequence it is the step before. */
  after?: string[];
  when?: Expr;
  /** Of one try; of the gate for an approval. Absent: the agent's own, or none. */
  timeoutMs?: number;
  retry?: RetryPolicy;
  /** Absent: `stop`. */
  onError?: Action[];
  /** Paths of this step's output that control the run: the only part of it that enters workflow history. `[]` is the whole. */
  reads?: Path[];
  /** An expression that controls the run reads the step's text output (`$step.stdout`). */
  readsStdout?: true;
  /** Steps whose whole outputs this step renders into prompts, commands or messages: they travel by reference. */
  inputs?: string[];
  /** Record fields of other steps (`$approve.approvedBy`) that its templates render. */
  records?: { step: string; field: RecordField }[];
}

export interface RetryPolicy {
  /** Tries in all, the first included. */
  max: number;
  /** @default 'fixed' */
  backoff?: 'fixed' | 'exponential';
  /** @default 1000 */
  delayMs?: number;
  /** @default 30000 */
  maxDelayMs?: number;
  /** Multiplies each delay by a number between 0.5 and 1. @default false */
  jitter?: boolean;
}

export interface OutputSpec {
  /** The artifact's name, e.g. `Bullish_Brief.json`. */
  name: string;
  /** JSON Schema the output must satisfy. */
  schema?: Sha256;
}

interface AgentWork extends StepBase {
  agent: string;
  /** `spawn`: a fresh context; `self`: the owner's one context of the run. Absent: `spawn`. */
  action?: 'self';
  /** A `Template` as JSON, by digest. Absent: the default prompt, which names task, inputs and schema. */
  prompt?: Sha256;
  /** `{name: Template}` as JSON, by digest: values the author hands over under names of their own. */
  input?: Sha256;
  output?: OutputSpec;
  /** Repair requests for a malformed or incomplete reply within one try. @default 1 */
  repair?: number;
  /** When repair and respawn did not help. Absent: as `onError`. */
  onInvalid?: Action[];
}

export interface AgentStep extends AgentWork {
  kind: 'agent';
}

export interface ReviewStep extends AgentWork {
  kind: 'review';
  /** The step that is judged. */
  of: string;
  onRevise?: { step: string; max: number };
  onBlock?: Action[];
}

export interface CommandStep extends StepBase {
  kind: 'command';
  /** `shell` runs under `/bin/sh -lc` with every `${…}` as one quoted word; `argv` runs without a shell. */
  command: { shell: Template } | { argv: Template[] };
  cwd?: Template;
  env?: Record<string, Template>;
  stdin?: Template;
  output?: OutputSpec;
}

export interface ApprovalStep extends StepBase {
  kind: 'approval';
  channel?: string;
  prompt?: Template;
  /** Steps whose outputs the person sees; what was shown is hashed into the decision. */
  show?: string[];
  /** Who may decide. Absent: anyone. */
  approvers?: string[];
  /** Absent: `wait`. */
  onTimeout?: 'approve' | 'reject';
  /** Absent: the run stops with state `rejected`. */
  onReject?: Action[];
}

export interface NotifyStep extends StepBase {
  kind: 'notify';
  channel: string;
  message: Template;
}

export interface WaitStep extends StepBase {
  kind: 'wait';
  forMs: number;
}

/** Steps in order. In a `graph` each starts when all in its `after` are settled; in a `sequence`, when the one before is. */
export interface Block {
  order: 'sequence' | 'graph';
  steps: Step[];
}
