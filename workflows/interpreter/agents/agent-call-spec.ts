import type { StepInput, StepOutput } from '../../../plan/steps/step-activity';
import type { ActivityOptions } from '../../run-context';
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
