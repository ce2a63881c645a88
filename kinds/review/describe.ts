import { defined } from '../../plan/defined';
import { describeActions } from '../../plan/steps/action';
import { agentData, agentFacts, askedAgent, type ShownAgentWork, sharesOwnerContext } from '../../plan/steps/agent-description';
import type { Description, ShownRunBy } from '../../plan/steps/description';
import { adapterFacts, fact, outputFacts } from '../../plan/steps/description-parts';
import type { AgentWorkSpec } from '../../plan/steps/step-base';
import type { ReviewStep } from './model';

export interface ShownReview extends ShownAgentWork, Omit<ReviewStep, keyof AgentWorkSpec> {
  criticRunBy?: ShownRunBy;
}

export const REVIEW_DESCRIPTION: Description<ReviewStep, ShownReview> = {
  data(step, words) {
    const { of, critic, onRevise, onBlock, stallRounds, onStall, onUnfixable } = step;
    return {
      kind: 'review',
      ...agentData(step, words),
      of,
      ...(critic === undefined ? {} : { critic, criticRunBy: words.runBy(critic) }),
      ...defined({ onRevise, onBlock, stallRounds, onStall, onUnfixable }),
    };
  },
  line(data) {
    const critic = data.critic === undefined ? '' : `, second opinion by ${data.critic}${adapterFacts(data.criticRunBy ?? {})}`;
    return `review of ${data.of} by ${askedAgent(data)}${critic}${sharesOwnerContext(data)}${outputFacts(data)}`;
  },
  facts: (data) => [
    ...fact('on revise', data.onRevise && describeActions(data.onRevise)),
    ...fact('on block', data.onBlock && describeActions(data.onBlock)),
    ...fact('no more revisions', stalled(data.stallRounds)),
    ...fact('then', data.onStall && describeActions(data.onStall)),
    ...fact('on unfixable', data.onUnfixable && describeActions(data.onUnfixable)),
    ...agentFacts(data),
  ],
  label: ({ agent }) => agent,
  shape: 'judgement',
};

function stalled(rounds: number | undefined): string | undefined {
  return rounds === undefined ? undefined : `when findings have not gone down for ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`;
}
