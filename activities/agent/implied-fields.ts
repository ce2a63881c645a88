import { isVote, PROPOSAL_DOCUMENT } from '../../plan/people/vote';
import type { AgentStep, ReviewStep } from '../../plan/steps/step';
import { field, type JsonObject } from '../../plan/text/json';
import type { InputScope } from '../run/template-scope';

/**
 * What a script need not say of an answer, because it knows no ids that only the run makes: a vote that names no proposal is for the one that is voted on. Models
 * have to name it.
 */
export function impliedFields(step: AgentStep | ReviewStep, { inputs }: Pick<InputScope, 'inputs'>): JsonObject | undefined {
  if (!isVote(step)) return undefined;
  const proposalId = field(inputs.get(PROPOSAL_DOCUMENT)?.value, 'id');
  return typeof proposalId === 'string' ? { proposalId } : undefined;
}
