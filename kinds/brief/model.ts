import type { BriefMode } from '../../plan/brief/brief';
import type { RoleScope } from '../../plan/brief/role';
import type { Form } from '../../plan/expressions/form';
import type { Sha256 } from '../../plan/run/artifact';
import type { StepBase } from '../../plan/steps/step-base';

/**
 * A brief that a team of roles works (docs/steps/brief.md). `parts` are the steps that it runs in turns: `<id>_<role>` for each role,
 * `<id>_confirm` and `<id>_operator` for questions to people.
 */
export interface BriefOf<S> extends StepBase {
  kind: 'brief';
  parts: S[];
  project: string;
  briefId?: string;
  mode: BriefMode;
  /** The digest of the file that the step names. Absent if the brief is written in the pipeline, or the pipeline is the brief's file. */
  source?: Sha256;
  /** `BriefTexts`, for agents and people. */
  matter: Form;
  /** In the order of the brief. One agent without a coordinator has the role `agent`. */
  roles: RoleScope[];
  /** The brief's `authorized_costs`. */
  authorized: string[];
  /** The calls that a sub-task may make, over all of its attempts. */
  toolCalls: number;
  /** How often a sub-task is tried again because judges say so. */
  retries: number;
  /** Only the planner is asked, and its plan is the output. The step has no other part. */
  until?: 'plan';
  /** How long a call that nothing authorises waits for a person. */
  askTimeoutMs?: number;
  /** Nobody is asked about calls that nothing authorises. */
  noOperator?: true;
  /** Calls that need `shell_exec` are refused, whatever people grant or have granted. */
  noShell?: true;
}

/** What is said of the brief, as Markdown. */
export interface BriefTexts {
  /** The brief as agents read it. */
  brief: string;
  /** What a person confirms before the work begins. */
  confirmation: string;
  /** For the planner: whom it may give sub-tasks to. Blank if there is only the executor. */
  roles: string;
}

export const CONFIRM_PART = 'confirm';
export const OPERATOR_PART = 'operator';
/** The role of one agent without a coordinator. */
export const SINGLE_ROLE = 'agent';
