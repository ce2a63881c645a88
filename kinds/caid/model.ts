import type { Template } from '../../plan/expressions/expression';
import type { Sha256 } from '../../plan/run/artifact';
import type { StepBase } from '../../plan/steps/step-base';
import type { Isolation, VerifyPolicy } from './rules/team';

/**
 * A manager divides work among engineers. `parts` are the steps it runs in turns: `<id>_manager` makes the graph, `<id>_engineer` does one
 * task, and `<id>_tests`, `<id>_review`, `<id>_person` and `<id>_target` exist if the step needs them.
 */
export interface CaidOf<S> extends StepBase {
  kind: 'caid';
  parts: S[];
  /** The branch, without `refs/heads/`: only tested merges move it. */
  into: string;
  /** The goal: a `Template` as JSON, by digest. */
  prompt: Sha256;
  /** For people: the repository of the parts' worktrees. */
  repo?: Template;
  /** Engineers at once, at most. */
  engineers: number;
  limits: { rounds: number; roundsPerEngineer?: number; returns: number };
  verify: VerifyPolicy;
  isolation: Isolation;
  /** Run in each merged tree. Absent: the acceptance commands of all tasks that are merged, and of the candidate. */
  testEach?: string;
  /** Run in the tree in the end. */
  testEnd?: string;
  /** Patterns of paths that no candidate may touch, in addition to the default set. */
  restricted: string[];
}

/** The ids of its parts. They are ids of the file: no other step has one of them. */
export const CAID_PARTS = ['manager', 'engineer', 'tests', 'review', 'person', 'approve', 'check', 'target'] as const;
export type CaidPart = (typeof CAID_PARTS)[number];
