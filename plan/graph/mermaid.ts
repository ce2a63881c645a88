import type { StepState } from '../run/step-state';
import type { Shape } from '../steps/description';
import type { Graph, GraphNode } from './graph-model';
import { nodeShape } from './graph-shape';

/** Fill and line for each state of a step, wherever a picture has colours. */
export const STATE_FILLS: Readonly<Record<StepState, readonly [string, string]>> = {
  pending: ['#f3f4f6', '#9ca3af'],
  running: ['#cffafe', '#0891b2'],
  waiting: ['#fef9c3', '#ca8a04'],
  held: ['#fae8ff', '#a21caf'],
  done: ['#dcfce7', '#16a34a'],
  skipped: ['#ffffff', '#9ca3af'],
  failed: ['#fee2e2', '#dc2626'],
  superseded: ['#e5e7eb', '#6b7280'],
};

/** Brackets: a step that a person answers is a stadium, a review a hexagon, work a box. */
const SHAPES: Readonly<Record<Shape, readonly [string, string]>> = {
  work: ['["', '"]'],
  judgement: ['{{"', '"}}'],
  program: ['[["', '"]]'],
  person: ['(["', '"])'],
  message: ['>"', '"]'],
  pause: ['("', '")'],
  child: ['[/"', '"/]'],
  frame: ['["', '"]'],
};

/** A picture as a Mermaid flow chart. A step with others within is a subgraph. */
export function mermaid(graph: Graph): string {
  const name = namer();
  const lines = ['flowchart TD'];
  const states = new Map<StepState, string[]>();
  const write = (nodes: readonly GraphNode[], indent: string): void => {
    for (const node of nodes) {
      const id = name(node.id);
      const text = nodeText(node).map(escapeText).join('<br/>');
      if (node.state !== undefined) states.set(node.state, [...(states.get(node.state) ?? []), id]);
      if (node.within === undefined || node.within.length === 0) {
        const [open, close] = SHAPES[nodeShape(node)];
        lines.push(`${indent}${id}${open}${text}${close}`);
        continue;
      }
      lines.push(`${indent}subgraph ${id}["${text}"]`);
      write(node.within, `${indent}  `);
      lines.push(`${indent}end`);
    }
  };
  write(graph.nodes, '  ');
  for (const { from, to, kind, label } of graph.edges) {
    const arrow = kind === 'order' ? '-->' : label === undefined ? '-.->' : `-. "${escapeText(label)}" .->`;
    lines.push(`  ${name(from)} ${arrow} ${name(to)}`);
  }
  for (const [state, members] of states) {
    const [fill, stroke] = STATE_FILLS[state];
    lines.push(`  classDef ${state} fill:${fill},stroke:${stroke},color:#111`, `  class ${members.join(',')} ${state}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The lines in a node's box: its name, `?` if it runs on a condition, its round; who or how; a review's verdict. */
export function nodeText(node: GraphNode): string[] {
  const name = `${node.name}${node.conditional ? '?' : ''}${node.round === undefined ? '' : ` #${node.round}`}`;
  return [name, ...(node.label === undefined ? [] : [node.label]), ...(node.verdict === undefined ? [] : [node.verdict])];
}

/** Makes ids that mermaid accepts: a prefix keeps `end` from being one of its own words; two that come out the same are distinguished. */
function namer(): (id: string) => string {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  return (id) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const base = `s_${id.replace(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')}`;
    let name = base;
    for (let i = 2; taken.has(name); i++) name = `${base}_${i}`;
    taken.add(name);
    known.set(id, name);
    return name;
  };
}

/** Escapes with mermaid's own entity codes, which `&` and `#` begin. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('#', '&#35;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
