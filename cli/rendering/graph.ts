import type { StepState } from '../../plan/status';
import { unreachable } from '../../plan/unreachable';
import type { Colors } from '../terminal';
import type { Graph, GraphNode } from './graph-model';
import { stepSymbol } from './states';

export const GRAPH_FORMATS = ['mermaid', 'dot', 'ascii'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

export function renderGraph(graph: Graph, format: GraphFormat, colors: Colors): string {
  switch (format) {
    case 'mermaid':
      return mermaid(graph);
    case 'dot':
      return dot(graph);
    case 'ascii':
      return ascii(graph, colors);
    default:
      return unreachable(format);
  }
}

/** Fill and line for each state: the same in mermaid and dot. */
const FILLS: Readonly<Record<StepState, readonly [string, string]>> = {
  pending: ['#f3f4f6', '#9ca3af'],
  running: ['#cffafe', '#0891b2'],
  waiting: ['#fef9c3', '#ca8a04'],
  held: ['#fae8ff', '#a21caf'],
  done: ['#dcfce7', '#16a34a'],
  skipped: ['#ffffff', '#9ca3af'],
  failed: ['#fee2e2', '#dc2626'],
  superseded: ['#e5e7eb', '#6b7280'],
};

/** Brackets by kind: people are stadiums, reviews rhombi, everything else boxes. */
const SHAPES: Readonly<Record<GraphNode['kind'], readonly [string, string]>> = {
  agent: ['["', '"]'],
  review: ['{{"', '"}}'],
  command: ['[["', '"]]'],
  approval: ['(["', '"])'],
  notify: ['>"', '"]'],
  wait: ['("', '")'],
};

function mermaid(graph: Graph): string {
  // A prefix keeps ids such as `end` from being taken for mermaid's own words.
  const name = (id: string): string => `s_${id.replaceAll('-', '_')}`;
  const lines = ['flowchart TD'];
  for (const node of graph.nodes) {
    const [open, close] = SHAPES[node.kind];
    lines.push(`  ${name(node.id)}${open}${textOf(node).map(escapeMermaid).join('<br/>')}${close}`);
  }
  for (const edge of graph.edges) {
    const arrow = edge.kind === 'revise' ? `-. "${escapeMermaid(edge.label ?? 'revise')}" .->` : '-->';
    lines.push(`  ${name(edge.from)} ${arrow} ${name(edge.to)}`);
  }
  const states = new Set(graph.nodes.flatMap((node) => (node.state === undefined ? [] : [node.state])));
  for (const state of states) {
    const [fill, stroke] = FILLS[state];
    const members = graph.nodes.filter((node) => node.state === state).map((node) => name(node.id));
    lines.push(`  classDef ${state} fill:${fill},stroke:${stroke},color:#111`, `  class ${members.join(',')} ${state}`);
  }
  return `${lines.join('\n')}\n`;
}

function escapeMermaid(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('#', '&#35;');
}

function dot(graph: Graph): string {
  const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const lines = [
    `digraph ${quote(graph.name)} {`,
    '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", fontname="sans-serif"];',
  ];
  for (const node of graph.nodes) {
    const [fill, stroke] = node.state === undefined ? ['#ffffff', '#374151'] : FILLS[node.state];
    const label = textOf(node)
      .map((text) => quote(text).slice(1, -1))
      .join('\\n');
    lines.push(`  ${quote(node.id)} [label="${label}", fillcolor="${fill}", color="${stroke}"];`);
  }
  for (const edge of graph.edges) {
    const look = edge.kind === 'revise' ? ` [style=dashed, constraint=false, label=${quote(edge.label ?? 'revise')}]` : '';
    lines.push(`  ${quote(edge.from)} -> ${quote(edge.to)}${look};`);
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

function textOf(node: GraphNode): string[] {
  const round = node.round === undefined ? '' : ` #${node.round}`;
  const verdict = node.verdict === undefined ? [] : [node.verdict];
  return [`${node.id}${round}`, ...(node.label === undefined ? [] : [node.label]), ...verdict];
}

/** A row for each depth; steps of one row run side by side. Below it, who waits for whom where that is not the row above. */
function ascii(graph: Graph, colors: Colors): string {
  const rows: GraphNode[][] = [];
  for (const node of graph.nodes) {
    const row = rows[node.depth] ?? [];
    row.push(node);
    rows[node.depth] = row;
  }
  const lines = [colors.bold(graph.name)];
  rows.forEach((row, depth) => {
    if (depth > 0) lines.push(colors.dim('  │'));
    lines.push(`  ${row.map((node) => boxOf(node, colors)).join(colors.dim('  ∥  '))}`);
  });
  const backwards = graph.edges.filter((edge) => edge.kind === 'revise');
  if (backwards.length > 0) lines.push('');
  for (const edge of backwards) lines.push(colors.dim(`  ↺ ${edge.from} → ${edge.to} (${edge.label ?? 'revise'})`));
  return `${lines.join('\n')}\n`;
}

function boxOf(node: GraphNode, colors: Colors): string {
  const state = node.state === undefined ? '' : `${stepSymbol(node.state, colors)} `;
  const when = node.conditional ? '?' : '';
  const [name = node.id, ...facts] = textOf(node);
  return `${state}[${name}${when}]${facts.length === 0 ? '' : colors.dim(` ${facts.join(', ')}`)}`;
}
