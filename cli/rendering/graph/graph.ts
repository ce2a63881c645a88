import type { Graph } from '../../../plan/graph/graph-model';
import { mermaid } from '../../../plan/graph/mermaid';
import { unreachable } from '../../../plan/unreachable';
import type { Colors } from '../../terminal';
import { ascii } from './graph-ascii';
import { dot } from './graph-dot';

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
