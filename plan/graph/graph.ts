import { DESCRIPTIONS } from '../../kinds/descriptions';
import { holdsBlock, holdsBranches, runsChild } from '../../kinds/questions';
import { type KindsWith, traitsOf } from '../../kinds/traits';
import { defined } from '../defined';
import { type Action, actionsIn } from '../steps/action';
import type { ControlBlock, ControlOf, ControlPlan, ControlStep } from '../steps/control';
import { dependencies } from '../steps/order';
import { everyStep, hasParts, shownWithin } from '../steps/walk';
import { depthsOf } from './depths';
import type { Graph, GraphEdge, GraphNode, GraphOptions } from './graph-model';
import { type RunStates, statesOf } from './graph-states';

/** Makes the picture of a plan (graph/graph-model.ts). */

const FINALLY = '(finally)';
/** Pipelines nest no deeper than this (the compiler refuses more); a picture of a broken plan ends here too. */
const DEPTH_LIMIT = 5;

export function graphOf(plan: ControlPlan, options: GraphOptions = {}): Graph {
  return { name: plan.name, ...drawPlan(plan, options, '', 0) };
}

/** A part of the picture. Entries wait for nothing in it, nothing in it waits for exits. */
interface Drawn {
  nodes: GraphNode[];
  edges: GraphEdge[];
}
interface DrawnBlock extends Drawn {
  entries: string[];
  exits: string[];
}

interface Drawing extends GraphOptions {
  states: RunStates;
  /** The prefix of ids: that of the enclosing `pipeline` step, with a slash. */
  prefix: string;
  nesting: number;
  /** Steps whose work a person approves. */
  gated: ReadonlySet<string>;
}

function drawPlan(plan: ControlPlan, options: GraphOptions, prefix: string, nesting: number): Drawn {
  const drawing: Drawing = { ...options, states: statesOf(options.steps ?? []), prefix, nesting, gated: gatedOf(plan) };
  const main = drawBlock(plan.block, drawing);
  if (!plan.finally) return main;
  const last = drawBlock(plan.finally, drawing);
  const id = prefix + FINALLY;
  const depth = Math.max(-1, ...main.nodes.map((node) => node.depth)) + 1;
  const ways = main.exits.map((from): GraphEdge => ({ from, to: id, kind: 'finally', label: 'whatever happened' }));
  return {
    nodes: [...main.nodes, { id, name: 'finally', kind: 'finally', conditional: false, depth, within: last.nodes }],
    edges: [...main.edges, ...last.edges, ...ways],
  };
}

function gatedOf({ block, finally: last }: ControlPlan): Set<string> {
  return new Set([...everyStep(block.steps), ...everyStep(last?.steps ?? [])].flatMap((step) => (step.approval ? [step.id] : [])));
}

function drawBlock(block: ControlBlock, drawing: Drawing): DrawnBlock {
  const { prefix, gated } = drawing;
  const ids = new Map(block.steps.map((step) => [step.id, prefix + step.id]));
  const exit = (id: string): string => (gated.has(id) ? gateId(prefix + id) : prefix + id);
  const needs = new Map<string, readonly string[]>();
  for (const [id, before] of dependencies(block)) {
    needs.set(prefix + id, before.filter((one) => ids.has(one)).map(exit));
    if (gated.has(id)) needs.set(gateId(prefix + id), [prefix + id]);
  }
  const depths = depthsOf(needs);
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  for (const step of block.steps) {
    const drawn = drawStep(step, depths.get(prefix + step.id) ?? 0, drawing);
    nodes.push(...drawn.nodes);
    edges.push(...drawn.edges);
  }
  for (const [to, before] of needs) for (const from of before) edges.push({ from, to, kind: 'order' });
  const waitedFor = new Set([...needs.values()].flat());
  const all = [...needs.keys()];
  return {
    nodes,
    edges: [
      ...edges,
      ...block.steps.flatMap((step) => edgesAcross(step, drawing)),
      ...block.steps.flatMap((step) => backEdges(step, (id) => prefix + id, exit)),
    ],
    entries: all.filter((id) => (needs.get(id) ?? []).length === 0),
    exits: all.filter((id) => !waitedFor.has(id)),
  };
}

/** The edges from steps of other branches that a step waits for. */
function edgesAcross({ id, awaits = [] }: ControlStep, { prefix, gated }: Drawing): GraphEdge[] {
  return awaits.map((from) => ({ from: gated.has(from) ? gateId(prefix + from) : prefix + from, to: prefix + id, kind: 'order' }));
}

/** Draws the step, its inner steps, and the gate after it. */
function drawStep(step: ControlStep, depth: number, drawing: Drawing): Drawn {
  const { prefix, states } = drawing;
  const id = prefix + step.id;
  const label = DESCRIPTIONS[step.kind].label(step, states.of(step.id));
  const within = drawWithin(step, drawing);
  const node: GraphNode = {
    id,
    name: step.id,
    kind: step.kind,
    ...defined({ label }),
    conditional: step.when !== undefined,
    ...states.facts(step.id),
    depth,
    ...defined({ within: within?.nodes }),
  };
  const nodes = [node];
  if (step.approval) {
    const state = states.gate(step.id);
    nodes.push({
      id: gateId(id),
      name: `${step.id} approval`,
      kind: 'gate',
      label: 'a person approves its output',
      conditional: false,
      ...defined({ state }),
      depth: depth + 1,
    });
  }
  return { nodes, edges: within?.edges ?? [] };
}

function drawWithin(step: ControlStep, drawing: Drawing): Drawn | undefined {
  const { prefix } = drawing;
  if (holdsBranches(step)) {
    const branches = step.branches.map((branch) => drawStep(branch, 0, drawing));
    const across = step.branches.flatMap((branch) => edgesAcross(branch, drawing));
    return { nodes: branches.flatMap(({ nodes }) => nodes), edges: [...branches.flatMap(({ edges }) => edges), ...across] };
  }
  if (holdsBlock(step)) {
    const { entries, exits, ...body } = drawBlock(step.block, drawing);
    const [first, last] = [entries[0], exits.at(-1)];
    const { again } = traitsOf(step.kind);
    if (again === undefined || first === undefined || last === undefined) return body;
    return { ...body, edges: [...body.edges, { from: last, to: first, kind: 'next', label: again }] };
  }
  // The step's code decides which parts run, and how often: the plan has no edges between them.
  if (hasParts<ControlStep>(step)) {
    const parts = drawBlock({ order: 'graph', steps: [...shownWithin<ControlStep>(step, drawing.expanded === true)] }, drawing);
    const how = { view: drawing.states.of(step.id), expanded: drawing.expanded === true };
    const own = DESCRIPTIONS[step.kind].inside?.(step, prefix + step.id, how) ?? { nodes: [], edges: [] };
    const nodes = [...parts.nodes, ...own.nodes];
    return nodes.length === 0 ? undefined : { nodes, edges: [...parts.edges, ...own.edges] };
  }
  return runsChild(step) ? drawChild(step, drawing) : undefined;
}

function drawChild(step: ControlOf<KindsWith<{ child: true }>>, drawing: Drawing): Drawn | undefined {
  const child = drawing.nesting < DEPTH_LIMIT ? drawing.child?.(step, drawing.states.of(step.id)) : undefined;
  if (child === undefined) return undefined;
  const options: GraphOptions = defined({ steps: child.steps, child: drawing.child, expanded: drawing.expanded });
  return drawPlan(child.plan, options, `${drawing.prefix}${step.id}/`, drawing.nesting + 1);
}

function gateId(id: string): string {
  return `${id}/(approval)`;
}

/**
 * The ways from a step back to an earlier one, and to a step that its actions call. `idOf` gives the id of a step in the picture, `exit`
 * that of its end: the gate after it, if it has one.
 */
function backEdges(step: ControlStep, idOf: (step: string) => string, exit: (step: string) => string): GraphEdge[] {
  const edges: GraphEdge[] = [];
  const add = (from: string, to: string, why: string, max: number): void => {
    edges.push({ from, to: idOf(to), kind: 'back', label: `${why}, at most ${max}` });
  };
  const retries = (actions: readonly Action[] | undefined, why: string, from = idOf(step.id)): void => {
    for (const action of actions ?? []) {
      if (action.kind === 'retry') add(from, action.step, why, action.max);
      // The called step returns its result.
      if (action.kind === 'call') edges.push({ from, to: idOf(action.step), kind: 'back', label: why });
    }
  };
  retries(actionsIn(step, 'onRevise'), 'revise');
  retries(actionsIn(step, 'onBlock'), 'on block');
  retries(actionsIn(step, 'onStall'), 'on stall');
  retries(actionsIn(step, 'onUnfixable'), 'on unfixable');
  retries(actionsIn(step, 'onInvalid'), 'on invalid');
  retries(actionsIn(step, 'onExhausted'), 'on exhausted');
  retries(actionsIn(step, 'onFail'), 'on fail');
  retries(actionsIn(step, 'onRootCause'), 'on root cause');
  retries(actionsIn(step, 'onBlocked'), 'on blocked');
  retries(actionsIn(step, 'onReject'), 'on reject');
  retries(step.approval?.onReject, 'on reject', exit(step.id));
  retries(step.onError, 'on error');
  return edges;
}
