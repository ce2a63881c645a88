import { planFromText } from '../../cli/pipelines/child-plans';
import type { GraphOptions } from '../../plan/graph/graph-model';
import type { Plan } from '../../plan/plan';
import { NESTED_BLOBS } from './nested-plan';

export const PLAN: Plan = {
  irVersion: 2,
  name: 'daily',
  source: '0'.repeat(64),
  trigger: { kind: 'manual' },
  block: {
    order: 'graph',
    steps: [
      { id: 'end', kind: 'agent', agent: 'a"b' },
      { id: 'bull', kind: 'agent', agent: 'bull', after: ['end'] },
      { id: 'bear', kind: 'agent', agent: 'bear', after: ['end'] },
      {
        id: 'review',
        kind: 'review',
        agent: 'r',
        of: 'bull',
        after: ['bull', 'bear'],
        onRevise: [{ kind: 'retry', step: 'bull', max: 3 }],
      },
      { id: 'ask', kind: 'approval', after: ['review'], channel: '#approvals', when: { kind: 'literal', value: true } },
    ],
  },
};

export const WITH_CHILD: GraphOptions = {
  child: (step) => {
    const plan = planFromText(NESTED_BLOBS.get(step.plan)?.content);
    return plan && { plan };
  },
};
