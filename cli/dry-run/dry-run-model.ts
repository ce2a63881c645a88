import type { ShownWork } from '../../kinds/descriptions';
import type { AdapterChoice } from '../../plan/agents/adapter-choice';
import type { BudgetSpec } from '../../plan/budgets/budget';
import type { Plan } from '../../plan/plan';
import type { ScheduledFor } from '../../plan/run/run-input';
import type { ShownGate } from '../../plan/steps/description';
import type { StepKind } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import type { LocalAdapterSettings } from '../pipelines/run-by';
import type { Policies } from '../rendering/policy';

/**
 * What a run would do, as data: `run --dry-run --json` prints it, and the text is written from it. Values that only the run will know are
 * shown as `⟨what is meant⟩` in texts.
 */
export interface DryRun {
  pipeline: string;
  description?: string;
  /** Args as the run would get them; a secret is its reference. */
  args: Record<string, Json>;
  /**
   * What a command sees in addition to what its step sets: names of its worker's environment, or, for a Lobster file, the caller's whole
   * environment.
   */
  environment: readonly string[] | 'caller';
  /** The script that would stand in for the agents. */
  script?: string;
  concurrent: number;
  budget?: BudgetSpec;
  /** Who approves actions of a category. */
  requiresApproval?: Plan['requiresApproval'];
  steps: DryStep[];
  finally?: DryStep[];
  /** Why the run would be refused, or would not finish. */
  problems: string[];
}

/** What a dry run is made from. */
export interface DryRunRequest {
  plan: Plan;
  blobs: ReadonlyMap<string, { content: string }>;
  args: Readonly<Record<string, Json>>;
  /** The settings by which agents are run here. */
  settings: LocalAdapterSettings;
  script?: string;
  runId?: string;
  /** The moment that the run is for. */
  scheduled?: ScheduledFor;
}

export interface DryStep extends Policies {
  id: string;
  kind: StepKind;
  /** From 1; steps of one block with the same number may run in parallel. */
  turn: number;
  /** In a graph: the steps that must be settled first. */
  after?: string[];
  /** Steps of other branches that must be settled first. */
  awaits?: string[];
  /** Items that it emits while it works, for the loop that takes them. */
  emits?: { name: string; maxItems: number; maxWaiting: number };
  description?: string;
  /** `value` only if it is known. */
  when?: { text: string; value?: boolean };
  /** Why it will certainly be skipped. The steps within it are left out. */
  skipped?: string;
  does: ShownWork;
  /** A person is asked once its work is done. */
  approval?: ShownGate;
  /** One line for the Temporal UI. */
  summary?: string;
  /** Branches, the steps of a group or of one turn of a loop, those of a child pipeline. */
  steps?: DryStep[];
  /** Steps of a child pipeline's `finally`. */
  finally?: DryStep[];
}

/** The adapter and model that would run an agent; the script's if there is one. */
export type DryRunBy = Omit<AdapterChoice, 'adapterFrom'>;
