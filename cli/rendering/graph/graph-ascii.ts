import type { Graph, GraphEdge, GraphNode } from '../../../plan/graph/graph-model';
import { frameName, nodeShape } from '../../../plan/graph/graph-shape';
import { nodeText } from '../../../plan/graph/mermaid';
import type { Colors } from '../../terminal';
import { stepSymbol } from '../states';
import { isCluster } from './graph-dot';

/**
 * A picture in plain text. A row for each depth; steps of one row run in parallel (`∥`); a step with others within is a frame; ways back
 * are below the steps that they belong to.
 */
export function ascii(graph: Graph, colors: Colors): string {
  const lines = [colors.bold(graph.name), ...rowsOf(graph.nodes, colors).map((line) => `  ${line}`)];
  const names = namesOf(graph.nodes);
  const back = graph.edges.filter((edge) => edge.kind === 'back' || edge.kind === 'next');
  if (back.length > 0) lines.push('');
  for (const edge of back) lines.push(colors.dim(`  ↺ ${wayBack(edge, names)}`));
  return `${lines.join('\n')}\n`;
}

function wayBack({ from, to, label }: GraphEdge, names: ReadonlyMap<string, string>): string {
  return `${names.get(from) ?? from} → ${names.get(to) ?? to}${label === undefined ? '' : ` (${label})`}`;
}

function namesOf(nodes: readonly GraphNode[], names = new Map<string, string>()): Map<string, string> {
  for (const node of nodes) {
    names.set(node.id, node.kind === 'gate' ? node.name : node.id);
    namesOf(node.within ?? [], names);
  }
  return names;
}

/** The rows of one block, or, within a parallel, each branch on its own. */
function rowsOf(nodes: readonly GraphNode[], colors: Colors): string[] {
  const rows: GraphNode[][] = [];
  for (const node of nodes) {
    const row = rows[node.depth] ?? [];
    row.push(node);
    rows[node.depth] = row;
  }
  return rows.filter(Boolean).flatMap((row, i) => [...(i > 0 ? [colors.dim('│')] : []), ...rowLines(row, colors)]);
}

/** Plain steps share a line; a frame has lines of its own, with `∥` before it if it has neighbours. */
function rowLines(row: readonly GraphNode[], colors: Colors): string[] {
  const plain = row.filter((node) => !isCluster(node));
  const lines = plain.length === 0 ? [] : [plain.map((node) => boxOf(node, colors)).join(colors.dim('  ∥  '))];
  for (const node of row.filter(isCluster)) {
    if (lines.length > 0) lines.push(colors.dim('∥'));
    lines.push(...frameOf(node, colors));
  }
  return lines;
}

function frameOf(node: GraphNode, colors: Colors): string[] {
  const edge = colors.dim('│');
  const inner = rowsOf(node.within ?? [], colors).map((line) => `${edge} ${line}`);
  const state = node.state === undefined ? '' : `${stepSymbol(node.state, colors)} `;
  const [name = node.name, ...facts] = nodeText(node);
  const kind = frameName(node) ?? '';
  const about = [kind, ...facts].filter((fact) => fact !== '').join(', ');
  return [`${colors.dim('┌')} ${state}${colors.bold(name)}${about === '' ? '' : `  ${colors.dim(about)}`}`, ...inner, colors.dim('└')];
}

/** Steps that a person answers are in round brackets, all others in square ones. */
function boxOf(node: GraphNode, colors: Colors): string {
  const state = node.state === undefined ? '' : `${stepSymbol(node.state, colors)} `;
  const [name = node.name, ...facts] = nodeText(node);
  const [open, close] = nodeShape(node) === 'person' ? ['(', ')'] : ['[', ']'];
  return `${state}${open}${name}${close}${facts.length === 0 ? '' : colors.dim(` ${facts.join(', ')}`)}`;
}
