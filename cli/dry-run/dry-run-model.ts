import type { ShownWork } from '../../kinds/descriptions';
import type { AdapterChoice } from '../../plan/agents/adapter-choice';
import type { BudgetSpec } from '../../plan/budgets/budget';
import type { Category } from '../../plan/people/category';
import type { Plan } from '../../plan/plan';
import type { Action } from '../../plan/steps/action';
import type { ShownGate } from '../../plan/steps/description';
import type { RetryPolicy, StepKind, WorktreeSpec } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import type { LocalAdapterSettings } from '../pipelines/run-by';

/**
 * What a run would do, as data: what `run --dry-run --json` prints and the text is written from. Values that only the run
 * will know stand as `⟨what is meant⟩` in texts.
 */
export interface DryRun {
  pipeline: string;
  description?: string;
  /** As the run would get them; a secret is its reference. */
  args: Record<string, Json>;
  /** What a command sees beside what its step sets: names of its worker's environment, or all of the caller's of a Lobster file. */
  environment: readonly string[] | 'caller';
  /** The script that would stand in for the agents. */
  script?: string;
  concurrent: number;
  budget?: BudgetSpec;
  /** Who says yes to actions of a category. */
  requiresApproval?: Plan['requiresApproval'];
  steps: DryStep[];
  finally?: DryStep[];
  /** Why the run would be refused, or would not come to its end. */
  problems: string[];
}

/** What a dry run is made from. */
export interface DryRunRequest {
  plan: Plan;
  blobs: ReadonlyMap<string, { content: string }>;
  args: Readonly<Record<string, Json>>;
  /** By which agents are run here. */
  settings: LocalAdapterSettings;
  script?: string;
  runId?: string;
}

export interface DryStep {
  id: string;
  kind: StepKind;
  /** From 1; steps of one block with the same number may run in parallel. */
  turn: number;
  /** Where its block is a graph: what must be settled first. */
  after?: string[];
  /** Steps of other branches that must be settled first. */
  awaits?: string[];
  /** Items that it emits while it works, for the loop behind it. */
  emits?: { name: string; maxItems: number; maxWaiting: number };
  description?: string;
  /** `value` only where it is known. */
  when?: { text: string; value?: boolean };
  /** Why it is known not to run. What is within it is left out. */
  skipped?: string;
  does: ShownWork;
  /** A person is asked once its work is done. */
  approval?: ShownGate;
  timeoutMs?: number;
  retry?: RetryPolicy;
  onError?: Action[];
  queue?: string;
  priority?: number;
  /** One line for the Temporal UI. */
  summary?: string;
  worktree?: WorktreeSpec;
  budget?: BudgetSpec;
  /** A person must say yes first. */
  category?: Category;
  /** Branches, the steps of a group or of one turn of a loop, those of a child pipeline. */
  steps?: DryStep[];
  /** Of a child pipeline. */
  finally?: DryStep[];
}

/** By which adapter and model an agent would be run; by the script's where there is one. */
export type DryRunBy = Omit<AdapterChoice, 'adapterFrom'>;
