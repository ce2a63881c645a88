import type { ControlPlan, ControlStep } from '../../plan/control';
import { dependencies } from '../../plan/order';
import type { StepState, StepView } from '../../plan/status';
import type { Verdict } from '../../plan/verdict';

/** A pipeline as a picture has it: steps, what each waits for, and the ways back. Written out by mermaid, dot and ascii. */
export interface Graph {
  name: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export interface GraphNode {
  id: string;
  kind: ControlStep['kind'];
  /** Who does it, or where. */
  label?: string;
  /** A step that runs on a condition only. */
  conditional: boolean;
  state?: StepState;
  round?: number;
  verdict?: Verdict;
  /** Longest way from a beginning: its row in the picture. */
  depth: number;
}

export interface GraphEdge {
  from: string;
  to: string;
  kind: 'order' | 'revise';
  label?: string;
}

export function graphOf(plan: ControlPlan, steps: readonly StepView[] = []): Graph {
  const needs = dependencies(plan.block);
  const states = new Map(steps.map((step) => [step.id, step]));
  const depths = depthsOf(needs);
  const nodes = plan.block.steps.map((step): GraphNode => {
    const node: GraphNode = { id: step.id, kind: step.kind, conditional: step.when !== undefined, depth: depths.get(step.id) ?? 0 };
    const label = labelOf(step);
    if (label !== undefined) node.label = label;
    const now = states.get(step.id);
    if (now !== undefined) {
      node.state = now.state;
      if (now.round > 1) node.round = now.round;
      if (now.verdict !== undefined) node.verdict = now.verdict.verdict;
    }
    return node;
  });
  const edges: GraphEdge[] = [];
  for (const step of plan.block.steps) {
    for (const from of needs.get(step.id) ?? []) edges.push({ from, to: step.id, kind: 'order' });
    if (step.kind !== 'review' || step.onRevise === undefined) continue;
    edges.push({ from: step.id, to: step.onRevise.step, kind: 'revise', label: `revise, at most ${step.onRevise.max}` });
  }
  return { name: plan.name, nodes, edges };
}

function labelOf(step: ControlStep): string | undefined {
  switch (step.kind) {
    case 'agent':
    case 'review':
      return step.agent;
    case 'approval':
    case 'notify':
      return step.channel;
    default:
      return undefined;
  }
}

/** A plan has no cycles, so the recursion ends. */
function depthsOf(needs: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const depths = new Map<string, number>();
  const depth = (id: string): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    depths.set(id, 0);
    const found = Math.max(-1, ...(needs.get(id) ?? []).map(depth)) + 1;
    depths.set(id, found);
    return found;
  };
  for (const id of needs.keys()) depth(id);
  return depths;
}
