import { unreachable } from '../../plan/unreachable';
import type { FileGraph } from './graph-model';

/** The three ways in which Lobster writes a graph. Pure. */
const LOBSTER_GRAPH_FORMATS = ['mermaid', 'dot', 'ascii'] as const;
export type LobsterGraphFormat = (typeof LOBSTER_GRAPH_FORMATS)[number];

export function isGraphFormat(text: string): text is LobsterGraphFormat {
  return LOBSTER_GRAPH_FORMATS.some((format) => format === text);
}

export function graphText(graph: FileGraph, format: LobsterGraphFormat): string {
  switch (format) {
    case 'mermaid':
      return mermaid(graph);
    case 'dot':
      return dot(graph);
    case 'ascii':
      return ascii(graph);
    default:
      return unreachable(format);
  }
}

/** A line end within a label is written as `\n`, in every format. */
function labelOf({ id, details }: FileGraph['nodes'][number]): string {
  return details === '' ? id : `${id}\\n${details}`;
}

function mermaid({ nodes, edges }: FileGraph): string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id } of nodes) {
    const plain = id.replace(/[^A-Za-z0-9_]/g, '_') || 'step';
    let name = /^\d/.test(plain) ? `s_${plain}` : plain;
    for (let n = 2; taken.has(name); n++) name = `${plain}_${n}`;
    taken.add(name);
    names.set(id, name);
  }
  const nodeLines = nodes.map((node) => {
    const label = `"${escaped(labelOf(node))}"`;
    return `  ${names.get(node.id)}${node.gate ? `{${label}}` : `[${label}]`}`;
  });
  const edgeLines = edges.map(({ from, to, label }) => `  ${names.get(from)} -->|${escaped(label)}| ${names.get(to)}`);
  return ['flowchart TD', ...nodeLines, ...(nodes.length > 0 ? [''] : []), ...edgeLines].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;', '|': '&#124;' };

function escaped(text: string): string {
  return text.replace(/[&"<>|]/g, (character) => ENTITIES[character] ?? character);
}

function dot({ nodes, edges }: FileGraph): string {
  const quoted = (text: string): string => `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
  return [
    'digraph workflow {',
    '  rankdir=TB;',
    ...nodes.map((node) => `  ${quoted(node.id)} [shape=${node.gate ? 'diamond' : 'box'},label=${quoted(labelOf(node))}];`),
    ...(nodes.length > 0 ? [''] : []),
    ...edges.map(({ from, to, label }) => `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(label)}];`),
    '}',
  ].join('\n');
}

function ascii({ nodes, edges }: FileGraph): string {
  return [
    'Workflow Graph',
    '',
    'Nodes:',
    ...nodes.map(({ id, type, details }) => `- ${id} [${type}]${details === '' ? '' : ` (${details})`}`),
    '',
    'Edges:',
    ...(edges.length > 0 ? edges.map(({ from, to, label }) => `- ${from} -> ${to} (${label})`) : ['- (none)']),
  ].join('\n');
}
