import { renderGraph } from '../../cli/rendering/graph';
import { graphOf } from '../../cli/rendering/graph-model';
import type { Plan } from '../../plan/plan';
import { fakeTerminal } from './fake-terminal';
import { stepView } from './views';

const { colors } = fakeTerminal();
const PLAN: Plan = {
  irVersion: 1,
  name: 'daily',
  source: '0'.repeat(64),
  trigger: { kind: 'manual' },
  block: {
    order: 'graph',
    steps: [
      { id: 'end', kind: 'agent', agent: 'a"b' },
      { id: 'bull', kind: 'agent', agent: 'bull', after: ['end'] },
      { id: 'bear', kind: 'agent', agent: 'bear', after: ['end'] },
      { id: 'review', kind: 'review', agent: 'r', of: 'bull', after: ['bull', 'bear'], onRevise: { step: 'bull', max: 3 } },
      { id: 'ask', kind: 'approval', after: ['review'], channel: '#approvals', when: { kind: 'literal', value: true } },
    ],
  },
};

test('steps stand in the row of their longest way from a beginning, and ways back are edges of their own', () => {
  const graph = graphOf(PLAN);
  expect(graph.nodes.map(({ id, depth }) => [id, depth])).toEqual([
    ['end', 0],
    ['bull', 1],
    ['bear', 1],
    ['review', 2],
    ['ask', 3],
  ]);
  expect(graph.edges.filter((edge) => edge.kind === 'revise')).toEqual([
    { from: 'review', to: 'bull', kind: 'revise', label: 'revise, at most 3' },
  ]);
});

test('in a sequence each step waits for the one before', () => {
  const steps = PLAN.block.steps.map(({ after: _after, ...step }) => step);
  expect(graphOf({ ...PLAN, block: { order: 'sequence', steps } }).nodes.map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 4]);
});

test('mermaid has no id that is one of its own words, and no quote of ours ends a label', () => {
  const text = renderGraph(graphOf(PLAN), 'mermaid', colors);
  expect(text).toContain('s_end["end<br/>a&quot;b"]');
  expect(text).toContain('s_end --> s_bull');
  expect(text).toContain('-. "revise, at most 3" .-> s_bull');
  expect(text).not.toContain('classDef');
});

test('what happened in a run colours it', () => {
  const steps = [stepView('bull', { state: 'done' }), stepView('review', { state: 'failed', round: 2 })];
  const graph = graphOf(PLAN, steps);
  expect(renderGraph(graph, 'mermaid', colors)).toMatch(/classDef failed .*\n {2}class s_review failed/);
  expect(renderGraph(graph, 'dot', colors)).toMatch(/"review" \[label="review #2/);
  expect(renderGraph(graph, 'ascii', colors)).toMatch(/✓ \[bull\].*∥.*\[bear\]/);
});

test('dot quotes what it must', () => {
  expect(renderGraph(graphOf(PLAN), 'dot', colors)).toContain('label="end\\na\\"b"');
});
