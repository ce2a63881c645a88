import { planFromText } from '../../cli/pipelines/child-plans';
import { graphOf } from '../../plan/graph/graph';
import type { GraphNode } from '../../plan/graph/graph-model';
import { PLAN, WITH_CHILD } from './drawn-plan';
import { NESTED, NESTED_BLOBS } from './nested-plan';
import { stepView } from './views';

/** Every node, outer before inner. */
function everyNode(nodes: readonly GraphNode[]): GraphNode[] {
  return nodes.flatMap((node) => [node, ...everyNode(node.within ?? [])]);
}

test('steps are in the row of their longest way from a beginning, and ways back are edges of their own', () => {
  const graph = graphOf(PLAN);
  expect(graph.nodes.map(({ id, depth }) => [id, depth])).toEqual([
    ['end', 0],
    ['bull', 1],
    ['bear', 1],
    ['review', 2],
    ['ask', 3],
  ]);
  expect(graph.edges.filter((edge) => edge.kind === 'back')).toEqual([
    { from: 'review', to: 'bull', kind: 'back', label: 'revise, at most 3' },
  ]);
});

test('in a sequence each step waits for the one before', () => {
  const steps = PLAN.block.steps.map(({ after: _after, ...step }) => step);
  expect(graphOf({ ...PLAN, block: { order: 'sequence', steps } }).nodes.map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 4]);
});

describe('blocks within blocks', () => {
  const graph = graphOf(NESTED, WITH_CHILD);

  test('every id is unique, and every edge names two that are there', () => {
    const ids = everyNode(graph.nodes).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { from, to } of graph.edges) expect(ids).toEqual(expect.arrayContaining([from, to]));
  });

  test('a child pipeline has ids of its own, and without its plan it is one node', () => {
    expect(everyNode(graph.nodes).map(({ id }) => id)).toEqual(expect.arrayContaining(['ship', 'ship/push', 'ship/allow']));
    expect(graphOf(NESTED).nodes.find(({ id }) => id === 'ship')?.within).toBeUndefined();
  });

  test('a gate after a step is between it and what comes next', () => {
    const from = (id: string): string[] => graph.edges.filter((edge) => edge.from === id && edge.kind !== 'back').map(({ to }) => to);
    expect(from('accept')).toEqual(['accept/(approval)']);
    expect(from('accept/(approval)')).toEqual(['lint']);
  });

  test('a loop goes from its last step to its first, and what runs whatever happened hangs on every end', () => {
    expect(graph.edges).toContainEqual({ from: 'accept/(approval)', to: 'lint', kind: 'next', label: 'next item' });
    expect(graph.edges).toContainEqual({ from: 'approve', to: '(finally)', kind: 'finally', label: 'whatever happened' });
    expect(graph.edges).toContainEqual({ from: 'approve', to: 'intel', kind: 'back', label: 'on reject, at most 2' });
  });

  test('a step of a loop shows of its iterations the one that needs a look, and the loop how far it is', () => {
    const steps = [
      stepView('each', { kind: 'for_each', state: 'running', iterations: { done: 4, total: 9 } }),
      stepView('lint', { address: 'each[4]/lint', state: 'done' }),
      stepView('lint', { address: 'each[5]/lint', state: 'failed' }),
      stepView('accept', { address: 'each[4]/accept', state: 'waiting' }),
    ];
    const nodes = new Map(everyNode(graphOf(NESTED, { steps }).nodes).map((node) => [node.id, node]));
    expect(nodes.get('lint')?.state).toBe('failed');
    expect(nodes.get('accept/(approval)')?.state).toBe('waiting');
    expect(nodes.get('each')?.label).toBe('each item, 3 at once, 4/9');
  });

  test('a child’s own run colours its steps, and a child without a run leaves them plain', () => {
    const plan = planFromText(NESTED_BLOBS.get('child')?.content)!;
    const drawn = graphOf(NESTED, {
      steps: [stepView('ship', { kind: 'pipeline', state: 'waiting', child: 'deploy-1' })],
      child: (_step, view) => (view?.child === 'deploy-1' ? { plan, steps: [stepView('push', { state: 'done' })] } : undefined),
    });
    const nodes = new Map(everyNode(drawn.nodes).map((node) => [node.id, node.state]));
    expect([nodes.get('ship'), nodes.get('ship/push'), nodes.get('ship/allow')]).toEqual(['waiting', 'done', undefined]);
  });
});
