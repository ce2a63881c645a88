import { planFromText } from '../../cli/child-plans';
import { renderGraph } from '../../cli/rendering/graph';
import { graphOf } from '../../plan/graph';
import type { GraphNode, GraphOptions } from '../../plan/graph-model';
import type { Plan } from '../../plan/plan';
import { fakeTerminal } from './fake-terminal';
import { NESTED, NESTED_BLOBS } from './nested-plan';
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
const WITH_CHILD: GraphOptions = {
  child: (step) => {
    const plan = planFromText(NESTED_BLOBS.get(step.plan)?.content);
    return plan && { plan };
  },
};

/** Every node, outer before inner. */
function everyNode(nodes: readonly GraphNode[]): GraphNode[] {
  return nodes.flatMap((node) => [node, ...everyNode(node.within ?? [])]);
}

test('steps stand in the row of their longest way from a beginning, and ways back are edges of their own', () => {
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

test('mermaid has no id that is one of its own words, and no quote of ours ends a label', () => {
  const text = renderGraph(graphOf(PLAN), 'mermaid', colors);
  expect(text).toContain('s_end["end<br/>a&quot;b"]');
  expect(text).toContain('s_end --> s_bull');
  expect(text).toContain('-. "revise, at most 3" .-> s_bull');
  expect(text).not.toContain('classDef');
});

test('ids that mermaid would take for one another are told apart', () => {
  const steps = ['a-b', 'a_b', 'a--b'].map((id) => ({ id, kind: 'wait' as const, forMs: 1 }));
  const text = renderGraph(graphOf({ ...PLAN, block: { order: 'sequence', steps } }), 'mermaid', colors);
  expect(text).toContain('s_a_b --> s_a_b_2');
  expect(text).toContain('s_a_b_2 --> s_a_b_3');
});

test('what happened in a run colours it', () => {
  const steps = [stepView('bull', { state: 'done' }), stepView('review', { state: 'failed', round: 2 })];
  const graph = graphOf(PLAN, { steps });
  expect(renderGraph(graph, 'mermaid', colors)).toMatch(/classDef failed .*\n {2}class s_review failed/);
  expect(renderGraph(graph, 'dot', colors)).toMatch(/"review" \[shape=hexagon, label="review #2/);
  expect(renderGraph(graph, 'ascii', colors)).toMatch(/✓ \[bull\].*∥.*\[bear\]/);
});

test('dot quotes what it must', () => {
  expect(renderGraph(graphOf(PLAN), 'dot', colors)).toContain('label="end\\na\\"b"');
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

  test('a gate behind a step stands between it and what comes next', () => {
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

  test('mermaid', () => {
    expect(renderGraph(graph, 'mermaid', colors)).toMatchInlineSnapshot(`
"flowchart TD
  s_intel["intel<br/>writer"]
  subgraph s_looks["looks<br/>50 % of them"]
    s_fetch[["fetch"]]
    subgraph s_deep["deep"]
      s_dig["dig<br/>writer"]
      s_judge{{"judge<br/>writer"}}
    end
  end
  subgraph s_each["each?<br/>each item, 3 at once"]
    s_lint[["lint"]]
    s_accept[["accept"]]
    s_accept_approval(["accept approval<br/>a person approves what it put out"])
  end
  subgraph s_ship["ship<br/>pipeline deploy"]
    s_ship_push[["push"]]
    s_ship_allow(["allow<br/>&#35;ops, 2 must approve"])
  end
  s_size(["size<br/>asks for a value"])
  s_pipe[["pipe<br/>exec | where | approve"]]
  s_signal("signal<br/>signal market-open")
  s_approve(["approve"])
  subgraph s__finally["finally"]
    s_tell>"tell<br/>&#35;desk"]
  end
  s_dig --> s_judge
  s_judge -. "revise, at most 2" .-> s_dig
  s_lint --> s_accept
  s_accept --> s_accept_approval
  s_accept_approval -. "next item" .-> s_lint
  s_ship_push --> s_ship_allow
  s_intel --> s_looks
  s_looks --> s_each
  s_each --> s_ship
  s_ship --> s_size
  s_size --> s_pipe
  s_pipe --> s_signal
  s_signal --> s_approve
  s_approve -. "on reject, at most 2" .-> s_intel
  s_approve -. "whatever happened" .-> s__finally
"
`);
  });

  test('dot', () => {
    expect(renderGraph(graph, 'dot', colors)).toMatchInlineSnapshot(`
"digraph "weekly" {
  compound=true;
  node [shape=box, style="rounded,filled", fillcolor="#ffffff", fontname="sans-serif"];
  "intel" [label="intel\\nwriter", fillcolor="#ffffff", color="#374151"];
  subgraph "cluster looks" {
    label="looks\\n50 % of them"; style="rounded,filled"; fillcolor="#ffffff"; color="#374151"; fontname="sans-serif";
    "fetch" [label="fetch", fillcolor="#ffffff", color="#374151"];
    subgraph "cluster deep" {
      label="deep"; style="rounded,filled"; fillcolor="#ffffff"; color="#374151"; fontname="sans-serif";
      "dig" [label="dig\\nwriter", fillcolor="#ffffff", color="#374151"];
      "judge" [shape=hexagon, label="judge\\nwriter", fillcolor="#ffffff", color="#374151"];
    }
  }
  subgraph "cluster each" {
    label="each?\\neach item, 3 at once"; style="rounded,filled"; fillcolor="#ffffff"; color="#374151"; fontname="sans-serif";
    "lint" [label="lint", fillcolor="#ffffff", color="#374151"];
    "accept" [label="accept", fillcolor="#ffffff", color="#374151"];
    "accept/(approval)" [shape=ellipse, label="accept approval\\na person approves what it put out", fillcolor="#ffffff", color="#374151"];
  }
  subgraph "cluster ship" {
    label="ship\\npipeline deploy"; style="rounded,filled"; fillcolor="#ffffff"; color="#374151"; fontname="sans-serif";
    "ship/push" [label="push", fillcolor="#ffffff", color="#374151"];
    "ship/allow" [shape=ellipse, label="allow\\n#ops, 2 must approve", fillcolor="#ffffff", color="#374151"];
  }
  "size" [shape=ellipse, label="size\\nasks for a value", fillcolor="#ffffff", color="#374151"];
  "pipe" [label="pipe\\nexec | where | approve", fillcolor="#ffffff", color="#374151"];
  "signal" [label="signal\\nsignal market-open", fillcolor="#ffffff", color="#374151"];
  "approve" [shape=ellipse, label="approve", fillcolor="#ffffff", color="#374151"];
  subgraph "cluster (finally)" {
    label="finally"; style="rounded,filled"; fillcolor="#ffffff"; color="#374151"; fontname="sans-serif";
    "tell" [shape=note, label="tell\\n#desk", fillcolor="#ffffff", color="#374151"];
  }
  "dig" -> "judge";
  "judge" -> "dig" [style=dashed, constraint=false, label="revise, at most 2"];
  "lint" -> "accept";
  "accept" -> "accept/(approval)";
  "accept/(approval)" -> "lint" [style=dashed, constraint=false, label="next item"];
  "ship/push" -> "ship/allow";
  "intel" -> "fetch" [lhead="cluster looks"];
  "judge" -> "lint" [ltail="cluster looks", lhead="cluster each"];
  "accept/(approval)" -> "ship/push" [ltail="cluster each", lhead="cluster ship"];
  "ship/allow" -> "size" [ltail="cluster ship"];
  "size" -> "pipe";
  "pipe" -> "signal";
  "signal" -> "approve";
  "approve" -> "intel" [style=dashed, constraint=false, label="on reject, at most 2"];
  "approve" -> "tell" [lhead="cluster (finally)", style=dashed, label="whatever happened"];
}
"
`);
  });

  test('ascii', () => {
    expect(renderGraph(graph, 'ascii', colors)).toMatchInlineSnapshot(`
"weekly
  [intel] writer
  │
  ┌ looks  parallel, 50 % of them
  │ [fetch]
  │ ∥
  │ ┌ deep  branch
  │ │ [dig] writer
  │ │ │
  │ │ [judge] writer
  │ └
  └
  │
  ┌ each?  loop, each item, 3 at once
  │ [lint]
  │ │
  │ [accept]
  │ │
  │ (accept approval) a person approves what it put out
  └
  │
  ┌ ship  pipeline deploy
  │ [push]
  │ │
  │ (allow) #ops, 2 must approve
  └
  │
  (size) asks for a value
  │
  [pipe] exec | where | approve
  │
  [signal] signal market-open
  │
  (approve)
  │
  ┌ finally  whatever happened
  │ [tell] #desk
  └

  ↺ judge → dig (revise, at most 2)
  ↺ accept approval → lint (next item)
  ↺ approve → intel (on reject, at most 2)
"
`);
  });
});
