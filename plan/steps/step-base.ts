import type { BudgetSpec } from '../budgets/budget';
import type { Expr, Path, RecordField, Template } from '../expressions/expression';
import type { Category } from '../people/category';
import type { WhoDecides } from '../people/decision-policy';
import type { Sha256 } from '../run/artifact';
import type { Action } from './action';
import type { EmitSpec } from './stream';

/** The keys that steps of several kinds share. Each kind's own are in `kinds/<kind>/model.ts`. */

export interface StepBase {
  id: string;
  /**
   * The id in a Lobster file, if it differs from `id`: ids there may have any characters, and steps of two loops share one. It names the
   * step's output within its container's, and in messages.
   */
  as?: string;
  description?: string;
  /** Graph order only: the steps that must be settled first. In a sequence it is the step before. */
  after?: string[];
  /** Steps of other branches of an enclosing `parallel` that must be settled first, whatever the order of its own block. */
  awaits?: string[];
  when?: Expr;
  /** The time-out of one try, or of the gate for an approval. Absent: the agent's own, or none. */
  timeoutMs?: number;
  /**
   * How long a phase of a coordinated task may take: no try begins later than this after its start, and anything within it that has a
   * `timeoutMs` is called off then. In a delivery each increment has this time, and so has the validation of the whole.
   */
  blockedAfterMs?: number;
  retry?: RetryPolicy;
  /** Absent: `stop`. */
  onError?: Action[];
  /** Paths of this step's output that control the run: the only part of it that enters workflow history. `[]` is the whole. */
  reads?: Path[];
  /** An expression that controls the run reads the step's text output (`$step.stdout`). */
  readsStdout?: true;
  /** Steps whose whole outputs this step renders into prompts, commands or messages: they travel by reference. */
  inputs?: string[];
  /** For a step within a loop of rounds: steps whose outputs of the previous round it renders. */
  lastInputs?: string[];
  /** Record fields of other steps (`$approve.approvedBy`) that its templates render. */
  records?: { step: string; field: RecordField }[];
  /** It runs only when an action of another step calls it. */
  onCall?: true;
  /** It may run in one activity with the step before it in its sequence: nothing is decided between them. */
  chained?: true;
  /** A person is asked once the step's work is done (Lobster's `approval:` on a step with an executor). */
  approval?: AfterApproval;
  /** A worker capability; absent: any worker. */
  queue?: string;
  /** 1 is first, 5 last, among tasks that wait for a worker. @default 3 */
  priority?: 1 | 2 | 3 | 4 | 5;
  /** One line for the Temporal UI, made from args and control values. */
  summary?: Template;
  worktree?: WorktreeSpec;
  /** Items that it emits while it works, for the loop over them. */
  emits?: EmitSpec;
  /** Ceilings of this step and all within it, in addition to those around it. */
  budget?: BudgetSpec;
  /** Its action needs approval each time: a gate opens before it, bound to exactly what it is about to do. */
  category?: Category;
}

/** Lobster's `approval:` on a step with an executor. The command's own prompt (`requiresApproval.prompt`) wins over `prompt`. */
export interface AfterApproval {
  prompt?: Template;
  /** Shown with the prompt: a template whose value is a list, and a short text. */
  items?: Template;
  preview?: Template;
  initiatedBy?: Template;
  requiredApprover?: Template;
  requireDifferentApprover?: true;
  /** Absent: the run ends as rejected. */
  onReject?: Action[];
}

/** A worktree of the step's own, or (`of`) another step's. */
export type WorktreeSpec =
  | { of: string }
  | {
      repo?: Template /** The name of a remote, which has the base and run refs. */;
      remote?: string;
      base?: Template;
      copy?: string[];
      setup?: Template[];
      teardown?: Template[];
      keep?: true;
      /** A team's engineers share this worktree at the same time. No key of a step sets it. */
      shared?: true;
    };

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

/** The work of an agent: a task, or a review. */
export interface AgentWorkSpec extends StepBase {
  agent: string;
  /** `spawn`: a fresh context; `self`: the owner's one context of the run. Absent: `spawn`. */
  action?: 'self';
  /** A `Template` as JSON, by digest. Absent: the default prompt, which names task, inputs and schema. */
  prompt?: Sha256;
  /** `{name: Template}` as JSON, by digest: values that the author gives under names of their own. */
  input?: Sha256;
  /** Fewer tools than the agent has. Absent: all of its own. */
  tools?: string[];
  /** The folder of its programs and tools. Absent: one of the step's own. */
  cwd?: Template;
  output?: OutputSpec;
  /** Replies of the model in one try, if the agent's file does not say. @default 50 */
  turns?: number;
  /** Repair requests for a malformed or incomplete reply within one try. @default 1 */
  repair?: number;
  /** When repair and respawn did not help. Absent: as `onError`. */
  onInvalid?: Action[];
}

/** The keys of every gate that is a step of its own. */
export interface GatedStep extends StepBase, WhoDecides {
  prompt?: Template;
  /** Steps whose outputs the person sees; what was shown is hashed into the decision. */
  show?: string[];
}

/** Steps in order. In a `graph` each starts when all in its `after` are settled; in a `sequence`, when the one before is. */
export interface BlockOf<S> {
  order: 'sequence' | 'graph';
  steps: S[];
}
