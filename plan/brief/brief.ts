import type { Template } from '../expressions/expression';
import type { Role } from './role';

export const BRIEF_MODES = ['gated', 'auto'] as const;
export type BriefMode = (typeof BRIEF_MODES)[number];

/** A brief as it is frozen into the plan: what a person wants done, by whom, and what it may cost. */
export interface ProjectBrief {
  project: string;
  /** `YYYY-MM-DD-ID`. Absent: it is made when the run starts. */
  briefId?: string;
  /** `YYYY-MM-DD`. */
  deadline?: string;
  scopeLocked: boolean;
  mode: BriefMode;
  /** Categories and wildcards of them (`category.ts`). */
  authorized: readonly string[];
  /** As written. */
  workdir?: string;
  /** In the order of the brief. Empty: one agent, without a coordinator. */
  roles: readonly BriefRole[];
  /** What runs one agent without a coordinator. Absent: the run's. */
  program?: Pick<BriefRole, 'adapter' | 'model' | 'timeoutMs' | 'tier'>;
  tier?: AdapterTier;
  /** Programs and their arguments, by the name of the server. They win over servers of the settings. */
  toolServers?: Readonly<Record<string, readonly string[]>>;
  /** How long a call that nothing authorises waits for a person. Absent: until somebody answers. */
  askTimeoutMs?: number;
  budgets: BriefBudgets;
  sections: BriefSections;
}

export interface BriefRole {
  id: string;
  /** Absent: an application's workers register the role (`registerRole()`), and this process has not. */
  definition?: Role;
  /** Absent: the run's. */
  adapter?: string;
  model?: string;
  timeoutMs?: number;
  tier?: AdapterTier;
}

/** An adapter's cost, as people read it. */
export const ADAPTER_TIERS = ['free', 'paid'] as const;
export type AdapterTier = (typeof ADAPTER_TIERS)[number];

/** Ceilings. Those of a sub-task span its attempts. */
export interface BriefBudgets {
  tokens: number;
  wallClockMs: number;
  toolCallsPerSubtask: number;
  retriesPerSubtask: number;
}

export const DEFAULT_BRIEF_BUDGETS: BriefBudgets = {
  tokens: 50_000,
  wallClockMs: 20 * 60_000,
  toolCallsPerSubtask: 15,
  retriesPerSubtask: 3,
};

/** Texts. Those of a brief in a pipeline have templates in them, and those of a file are as written. */
export interface BriefSections {
  objective: Template;
  deliverables: Template;
  constraints?: Template;
  toolsRequired?: Template;
  notes?: Template;
  context?: Template;
  acceptance?: Template;
  /** Others, in their order; the text above the first heading has the heading `''`. */
  others: readonly (readonly [heading: string, text: Template])[];
}
