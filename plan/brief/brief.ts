import type { Role } from './role';

export const BRIEF_MODES = ['gated', 'auto'] as const;
export type BriefMode = (typeof BRIEF_MODES)[number];

export interface ProjectBrief {
  project: string;
  briefId?: string;
  deadline?: string;
  scopeLocked: boolean;
  mode: BriefMode;
  authorized: readonly string[];
  workdir?: string;
  roles: readonly BriefRole[];
  toolServers?: Readonly<Record<string, readonly string[]>>;
  budgets: BriefBudgets;
  sections: BriefSections;
}

export interface BriefRole {
  definition: Role;
  adapter?: string;
  model?: string;
  timeoutMs?: number;
  tier?: AdapterTier;
}

export const ADAPTER_TIERS = ['free', 'paid'] as const;
export type AdapterTier = (typeof ADAPTER_TIERS)[number];

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

export interface BriefSections {
  objective: string;
  deliverables: string;
  constraints?: string;
  toolsRequired?: string;
  notes?: string;
  context?: string;
  acceptance?: string;
  others: readonly (readonly [heading: string, text: string])[];
}
