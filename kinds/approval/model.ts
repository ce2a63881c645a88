import type { Action } from '../../plan/action';
import type { DecisionPolicy } from '../../plan/decision-policy';
import type { Template } from '../../plan/expression';
import type { Gated } from '../../plan/step-base';

export interface ApprovalStep extends Gated, DecisionPolicy {
  kind: 'approval';
  /** Shown in full below the question. */
  preview?: Template;
  /** The possible answers. Absent: approve, reject. */
  choices?: string[];
  /** Absent: the run stops with state `rejected`. */
  onReject?: Action[];
}
