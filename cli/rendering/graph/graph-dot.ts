import type { Graph, GraphEdge, GraphNode } from '../../../plan/graph/graph-model';
import { nodeShape } from '../../../plan/graph/graph-shape';
import { nodeText, STATE_FILLS } from '../../../plan/graph/mermaid';
import type { Shape } from '../../../plan/steps/description';

/** A step that a person answers is an ellipse, a review a hexagon; everything else is a box. */
const SHAPES: Partial<Record<Shape, string>> = {
  person: 'ellipse',
  judgement: 'hexagon',
  message: 'note',
  child: 'component',
};

/**
 * A picture in Graphviz's language. A step with others within is a cluster. Graphviz has edges only between nodes, so an edge of a cluster
 * goes to one of the inner steps and is cut off at the cluster's border.
 */
export function dot(graph: Graph): string {
  const lines = [
    `digraph ${quote(graph.name)} {`,
    '  compound=true;',
    '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", fontname="sans-serif"];',
  ];
  const clusters = new Map<string, GraphNode>();
  const write = (nodes: readonly GraphNode[], indent: string): void => {
    for (const node of nodes) {
      const [fill, stroke] = node.state === undefined ? ['#ffffff', '#374151'] : STATE_FILLS[node.state];
      const label = nodeText(node)
        .map((text) => quote(text).slice(1, -1))
        .join('\\n');
      if (!isCluster(node)) {
        const drawn = SHAPES[nodeShape(node)];
        const shape = drawn === undefined ? '' : `shape=${drawn}, `;
        lines.push(`${indent}${quote(node.id)} [${shape}label="${label}", fillcolor="${fill}", color="${stroke}"];`);
        continue;
      }
      clusters.set(node.id, node);
      lines.push(`${indent}subgraph ${quote(clusterOf(node.id))} {`);
      lines.push(`${indent}  label="${label}"; style="rounded,filled"; fillcolor="${fill}"; color="${stroke}"; fontname="sans-serif";`);
      write(node.within, `${indent}  `);
      lines.push(`${indent}}`);
    }
  };
  write(graph.nodes, '  ');
  for (const edge of graph.edges) lines.push(`  ${edgeLine(edge, clusters)}`);
  return `${[...lines, '}'].join('\n')}\n`;
}

function edgeLine({ from, to, kind, label }: GraphEdge, clusters: ReadonlyMap<string, GraphNode>): string {
  const [tail, head] = [clusters.get(from), clusters.get(to)];
  const looks: string[] = [];
  if (tail !== undefined) looks.push(`ltail=${quote(clusterOf(from))}`);
  if (head !== undefined) looks.push(`lhead=${quote(clusterOf(to))}`);
  if (kind !== 'order') looks.push('style=dashed');
  if (kind === 'back' || kind === 'next') looks.push('constraint=false');
  if (label !== undefined) looks.push(`label=${quote(label)}`);
  const look = looks.length === 0 ? '' : ` [${looks.join(', ')}]`;
  return `${quote(tail === undefined ? from : innermost(tail, -1))} -> ${quote(head === undefined ? to : innermost(head, 0))}${look};`;
}

interface Cluster extends GraphNode {
  within: GraphNode[];
}

export function isCluster(node: GraphNode): node is Cluster {
  return node.within !== undefined && node.within.length > 0;
}

/** The first (0) or last (-1) innermost step within a node. */
function innermost(node: GraphNode, which: 0 | -1): string {
  const inner = node.within?.at(which);
  return inner === undefined ? node.id : innermost(inner, which);
}

/** Graphviz takes a subgraph for a cluster by its name. */
function clusterOf(id: string): string {
  return `cluster ${id}`;
}

function quote(text: string): string {
  return `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[\r\n]+/g, ' ')}"`;
}
