import { isVote, PROPOSAL_DOCUMENT } from '../../plan/people/vote';
import type { AgentStep, ReviewStep } from '../../plan/steps/step';
import { field, type JsonObject } from '../../plan/text/json';
import type { InputScope } from '../run/template-scope';

/**
 * Fields that a script may omit in an answer, because it cannot know ids that the run makes: a vote without a proposal is for the current
 * one. Models have to name it.
 */
export function impliedFields(step: AgentStep | ReviewStep, { inputs }: Pick<InputScope, 'inputs'>): JsonObject | undefined {
  if (!isVote(step)) return undefined;
  const proposalId = field(inputs.get(PROPOSAL_DOCUMENT)?.value, 'id');
  return typeof proposalId === 'string' ? { proposalId } : undefined;
}
