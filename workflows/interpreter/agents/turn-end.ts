import type { DecisionRequest } from '../../../plan/agents/decision';
import type { RunRequest } from '../../../plan/agents/run-request';
import type { GrantNeed } from '../../../plan/brief/authority';
import type { ApprovalNeed } from '../../../plan/people/category';
import type { StepOutput } from '../../../plan/steps/step-activity';
import type { BudgetQuestion } from '../budget/held-reservation';

/** How a turn of an agent's activity ended: its output, or what it has paused for. Plain JSON, since it is remembered. */
export type TurnEnd = { output: StepOutput } | { lacks: Lack; exchanged?: true };

/** What an agent lacks to go on. */
export type Lack =
  | { kind: 'budget'; ask?: BudgetQuestion }
  | { kind: 'leave'; need: ApprovalNeed | GrantNeed }
  /** Any of these children has to end. */
  | { kind: 'children'; awaits: string[] }
  | { kind: 'requests'; runRequests: readonly RunRequest[] }
  /** None of these could be decided at once. */
  | { kind: 'decisions'; asks: readonly DecisionRequest[] }
  | { kind: 'slot' }
  /** Some of its items have to be taken up. */
  | { kind: 'room' }
  | { kind: 'cancelled' };
