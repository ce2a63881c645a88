import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { AttemptScope } from './agent-session';
import type { AgentWork } from './agent-work';
import { addToOwnerContext } from './owner-context';
import type { Transcript } from './transcript';

/**
 * What a member has said in a turn that fails is in its conversation all the same, so that it knows what it has done if it works again.
 * Not if the conversation itself is what the model does not take.
 */
export async function contextOfFailed(
  { member, toolbox, call }: AttemptScope,
  { context: heads, stepId }: Pick<AgentWork, 'context' | 'stepId'>,
  { turns }: Transcript,
  error: unknown,
): Promise<Pick<StepOutput, 'context'>> {
  if (!member || !heads || !(error instanceof ThermidorFailure) || NOT_TAKEN.has(error.code) || error.code === 'worker.lost') return {};
  if (call.signal.aborted || !turns().some(({ role, stop }) => role === 'assistant' && stop !== 'broken')) return {};
  try {
    return await addToOwnerContext(toolbox.artifacts, heads, turns(), stepId);
  } catch (problem) {
    // The failure itself is what the run has to know.
    toolbox.log('warn', 'what a member has said before it failed could not be stored', { call: call.id, error: String(problem) });
    return {};
  }
}

const NOT_TAKEN: ReadonlySet<FailureCode> = new Set(['model.context-length', 'model.refused', 'model.bad-request']);
