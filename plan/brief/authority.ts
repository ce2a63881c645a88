import type { ArtifactRef, Sha256 } from '../run/artifact';
import { type CostCategory, withoutShell } from './category';
import type { RoleScope } from './role';

/**
 * What an agent may do that works for a brief. Two checks read it before each call of a tool, and know nothing of each other: whether the
 * role has the categories of the call, and whether somebody has authorised them. Agents that it spawns, asks or consults have the same.
 */
export interface Authority {
  /** The brief's project: grants are for it alone. */
  project: string;
  role: RoleScope;
  /** The brief's `authorized_costs`. */
  authorised: readonly string[];
  /** Nobody is asked: what nothing authorises is refused. */
  noOperator?: true;
  /** What needs `shell_exec` is refused, whatever people have granted, and nobody is asked. */
  noShell?: true;
  /** How long a question waits; then it is denied. Absent: until somebody answers. */
  askTimeoutMs?: number;
}

/** An authority with what people have answered in the run so far. */
export interface AuthorityNow extends Authority {
  /** What they have granted for the run. */
  granted?: readonly CostCategory[];
  /** Their answers to calls of the step's agents. */
  answers?: readonly GrantAnswer[];
}

/** What may be used without a question. `lasting`: what is granted for ever. */
export function authorisedNow(
  { authorised, granted = [], noShell }: Pick<AuthorityNow, 'authorised' | 'granted' | 'noShell'>,
  lasting: readonly string[] = [],
): string[] {
  const all = [...authorised, ...granted, ...lasting];
  return noShell ? all.flatMap(withoutShell) : all;
}

/** Categories that are granted for a run. */
export interface RunGrant {
  project: string;
  categories: readonly CostCategory[];
}

/** A call that needs what nothing authorises. */
export interface GrantNeed {
  project: string;
  /** Everything that is missing, each once. */
  categories: readonly CostCategory[];
  tool: string;
  contentSha256: Sha256;
  /** `{tool, args}`: what people see, and what an answer is bound to. */
  content: ArtifactRef;
}

/** `once`: this call. `run`: the categories, for the run. `always`: the categories, for the project. The most careful one is the last. */
export const GRANT_CHOICES = ['once', 'run', 'always', 'deny'] as const;
export type GrantChoice = (typeof GRANT_CHOICES)[number];

/** A person's answer to a call, or `deny` because nobody answered in time. */
export interface GrantAnswer {
  /** `<address>/grant-<n>`: unique in the run. */
  id: string;
  contentSha256: Sha256;
  categories: readonly CostCategory[];
  choice: GrantChoice;
  /** ISO 8601. */
  at: string;
  /** Absent: nobody answered in time, or the answer had no name. */
  by?: string;
  comment?: string;
}
