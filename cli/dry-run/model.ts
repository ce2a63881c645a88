import type { Action } from '../../plan/action';
import type { BudgetSpec } from '../../plan/budget';
import type { Category } from '../../plan/category';
import type { CommentRule } from '../../plan/decision-policy';
import type { Json } from '../../plan/json';
import type { Plan } from '../../plan/plan';
import type { Join } from '../../plan/quorum';
import type { RunBy } from '../../plan/run-by';
import type { RetryPolicy, StepKind, WorktreeSpec } from '../../plan/step';
import type { RunBySettings } from '../pipelines/run-by';

/**
 * What a run would do, as data: what `run --dry-run --json` prints and the text is written from. Values that only the run
 * will know stand as `⟨what is meant⟩` in texts.
 */
export interface DryRun {
  pipeline: string;
  description?: string;
  /** As the run would get them; a secret is its reference. */
  args: Record<string, Json>;
  /** What a command sees beside what its step sets: names of its worker's environment, or all of whoever calls a Lobster file. */
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
  settings: RunBySettings;
  script?: string;
  runId?: string;
}

export interface DryStep {
  id: string;
  kind: StepKind;
  /** From 1; steps of one block with the same number may run side by side. */
  turn: number;
  /** Where its block is a graph: what must be settled first. */
  after?: string[];
  description?: string;
  /** `value` only where it is known. */
  when?: { text: string; value?: boolean };
  /** Why it is known not to run. What is within it is left out. */
  skipped?: string;
  does: DryWork;
  /** A person is asked once its work is done. */
  approval?: DryGate;
  timeoutMs?: number;
  retry?: RetryPolicy;
  onError?: Action[];
  queue?: string;
  priority?: number;
  worktree?: WorktreeSpec;
  budget?: BudgetSpec;
  /** A person must say yes first. */
  category?: Category;
  /** Branches, the steps of a group or of one turn of a loop, those of a child pipeline. */
  steps?: DryStep[];
  /** Of a child pipeline. */
  finally?: DryStep[];
}

export interface DryGate {
  question?: string;
  channel?: string;
  approvers?: string[];
  show?: string[];
  quorum?: number;
  fourEyes?: true;
  identity?: 'proven';
  comment?: CommentRule;
  choices?: readonly string[];
  remindMs?: number;
  onTimeout?: string;
  onReject?: Action[];
  responseSchema?: Json;
  defaults?: Json;
  /** Who must, and must not, decide, where a step behind a command says so. */
  requiredApprover?: string;
  requireDifferentApprover?: true;
}

export interface DryPlace {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
  output?: string;
}

/** By which adapter and model an agent would be run; by the script's where there is one. */
export type DryRunBy = Omit<RunBy, 'adapterFrom'>;

export type DryWork =
  | ({
      kind: 'agent' | 'review';
      agent: string;
      title?: string;
      /** The owner's one context of the run instead of a fresh one. */
      ownContext?: true;
      prompt: string;
      /** Fewer than the agent has. */
      tools?: readonly string[];
      cwd?: string;
      output?: string;
      /** Of a review. */
      of?: string;
      critic?: string;
      criticRunBy?: DryRunBy;
      onRevise?: { step: string; max: number };
      onBlock?: Action[];
    } & DryRunBy)
  | ({ kind: 'command'; shell?: string; argv?: string[] } & DryPlace)
  | ({ kind: 'stages'; pipe: string; asks: string[] } & DryPlace)
  | ({ kind: 'approval' | 'input' } & DryGate)
  | { kind: 'notify'; channel: string; message: string; report?: string }
  | { kind: 'wait'; forMs?: number; until?: string; signal?: string }
  | { kind: 'parallel'; wait: Join; maxConcurrent?: number; merge?: { how: string; key: string } }
  | { kind: 'group' }
  | {
      kind: 'for_each';
      items: string;
      /** Where the list is known. */
      count?: number;
      itemVar: string;
      indexVar: string;
      maxConcurrent: number;
      batchSize?: number;
      pauseMs?: number;
    }
  | { kind: 'pipeline'; pipeline: string; args: Record<string, Json> };
