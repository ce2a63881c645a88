import { renderGraph } from '../../cli/rendering/graph/graph';
import { graphOf } from '../../plan/graph/graph';
import { PLAN, WITH_CHILD } from './drawn-plan';
import { fakeTerminal } from './fake-terminal';
import { NESTED } from './nested-plan';
import { stepView } from './views';

const { colors } = fakeTerminal();

test('mermaid has no id that is one of its own words, and no quote of ours ends a label', () => {
  const text = renderGraph(graphOf(PLAN), 'mermaid', colors);
  expect(text).toContain('s_end["end<br/>a&quot;b"]');
  expect(text).toContain('s_end --> s_bull');
  expect(text).toContain('-. "revise, at most 3" .-> s_bull');
  expect(text).not.toContain('classDef');
});

test('ids that mermaid would take for one another are distinguished', () => {
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

  test('mermaid', () => {
    expect(renderGraph(graph, 'mermaid', colors)).toMatchInlineSnapshot(`
"flowchart TD
  s_intel["intel<br/>writer"]
  subgraph s_looks["looks<br/>1 of 2"]
    s_fetch[["fetch"]]
    subgraph s_deep["deep"]
      s_dig["dig<br/>writer"]
      s_judge{{"judge<br/>writer"}}
    end
  end
  subgraph s_each["each?<br/>each item, 3 at once"]
    s_lint[["lint"]]
    s_accept[["accept"]]
    s_accept_approval(["accept approval<br/>a person approves its output"])
  end
  subgraph s_ship["ship<br/>pipeline deploy"]
    s_ship_push[["push"]]
    s_ship_allow(["allow<br/>&#35;ops, 2 of 2 must approve"])
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
    label="looks\\n1 of 2"; style="rounded,filled"; fillcolor="#ffffff"; color="#374151"; fontname="sans-serif";
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
    "accept/(approval)" [shape=ellipse, label="accept approval\\na person approves its output", fillcolor="#ffffff", color="#374151"];
  }
  subgraph "cluster ship" {
    label="ship\\npipeline deploy"; style="rounded,filled"; fillcolor="#ffffff"; color="#374151"; fontname="sans-serif";
    "ship/push" [label="push", fillcolor="#ffffff", color="#374151"];
    "ship/allow" [shape=ellipse, label="allow\\n#ops, 2 of 2 must approve", fillcolor="#ffffff", color="#374151"];
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
  ┌ looks  side by side, 1 of 2
  │ [fetch]
  │ ∥
  │ ┌ deep  in order
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
  │ (accept approval) a person approves its output
  └
  │
  ┌ ship  pipeline deploy
  │ [push]
  │ │
  │ (allow) #ops, 2 of 2 must approve
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
