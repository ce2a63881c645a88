import type { Template } from '../../plan/expressions/expression';
import type { DecisionPolicy } from '../../plan/people/decision-policy';
import type { Action } from '../../plan/steps/action';
import type { GatedStep } from '../../plan/steps/step-base';

export interface ApprovalStep extends GatedStep, DecisionPolicy {
  kind: 'approval';
  /** Shown in full below the question. */
  preview?: Template;
  /** The possible answers. Absent: approve, reject. */
  choices?: string[];
  /** Absent: the run stops with state `rejected`. */
  onReject?: Action[];
}
