import type { DecisionRequest } from '../../../plan/agents/decision';
import type { RunRequest } from '../../../plan/agents/run-request';
import type { ApprovalNeed } from '../../../plan/people/category';
import type { StepInput, StepOutput } from '../../../plan/steps/step-activity';
import type { ActivityOptions } from '../../run-context';
import type { BudgetQuestion } from '../budget/budget-gate';
import type { AgentCallState } from '../context/attempt-log';

/** A call of an agent: the step's own, its critic, one that it spawned, one of the chain of escalation. */
export interface AgentCall {
  address: string;
  options: Omit<ActivityOptions, 'address'>;
  input: () => StepInput;
  /** Where its budget reservation and its spawned children are kept. */
  keeps: AgentCallState;
  /** Called in the moment in which it is done. */
  done?: (output: StepOutput) => void;
  /** Who it is, as envelopes name it, and how deep (`plan/agents/spawn-depth.ts`). */
  agent: string;
  depth: number;
}

/** How a turn of an agent's activity ended: its output, or what it has paused for. Plain JSON, since it is remembered. */
export type TurnEnd = { output: StepOutput } | { lacks: Lack; exchanged?: true };

/** What an agent lacks to go on. */
export type Lack =
  | { kind: 'budget'; ask?: BudgetQuestion }
  | { kind: 'leave'; need: ApprovalNeed }
  /** Any of these children has to end. */
  | { kind: 'children'; awaits: string[] }
  | { kind: 'requests'; runRequests: readonly RunRequest[] }
  /** None of these could be decided at once. */
  | { kind: 'decisions'; asks: readonly DecisionRequest[] }
  | { kind: 'slot' }
  /** Some of its items have to be taken up. */
  | { kind: 'room' }
  | { kind: 'cancelled' };
