import type { GraphNode } from '../../../plan/graph/graph-model';
import { frameName, nodeShape } from '../../../plan/graph/graph-shape';
import { nodeText } from '../../../plan/graph/mermaid';
import type { Colors } from '../../terminal';
import { stepSymbol } from '../states';
import { oneLine, pad, truncate, widthOf } from '../text/printable';
import { type Picture, type PicturePoint, pictureOf } from './picture';

/** How many columns the edges and blanks of a box take. */
export const BOX_EDGES = 4;
/** A step: its name, and below it who does it and further notes. */
export function boxOf(node: GraphNode, notes: readonly string[], most: number, colors: Colors): Picture {
  const [name = node.name, ...facts] = nodeText(node).map(oneLine);
  const mark = node.state === undefined ? '' : `${stepSymbol(node.state, colors)} `;
  const room = Math.max(1, most - BOX_EDGES);
  const head = mark + colors.bold(truncate(name, room - widthOf(mark)));
  const rest = facts.length === 0 ? [] : [facts.join(', ')];
  const lines = [head, ...[...rest, ...notes].map((text) => colors.dim(truncate(text, room)))];
  const width = Math.max(...lines.map(widthOf));
  const [topLeft, topRight, bottomLeft, bottomRight] = nodeShape(node) === 'person' ? '╭╮╰╯' : '┌┐└┘';
  const edge = '─'.repeat(width + 2);
  const drawn = [`${topLeft}${edge}${topRight}`, ...lines.map((line) => `│ ${pad(line, width)} │`), `${bottomLeft}${edge}${bottomRight}`];
  return pictureOf(drawn, spotOf(node, 1));
}

/** A step with others within: its name in the upper edge, its notes below that. */
export function frameOf(node: GraphNode, inner: Picture, notes: readonly string[], most: number, colors: Colors): Picture {
  const [name = node.name, ...facts] = nodeText(node).map(oneLine);
  const room = Math.max(1, most - BOX_EDGES);
  const mark = node.state === undefined ? '' : `${stepSymbol(node.state, colors)} `;
  const kind = frameName(node);
  const about = [...(kind === undefined ? [] : [kind]), ...facts].join(', ');
  const title = mark + colors.bold(truncate(name, Math.max(1, room - widthOf(mark) - 2)));
  const lines = [...(about === '' ? [] : [about]), ...notes].map((text) => colors.dim(truncate(text, room)));
  const width = Math.max(inner.width, widthOf(title) + 2, ...lines.map(widthOf));
  const indent = ' '.repeat(Math.floor((width - inner.width) / 2));
  const drawn = [
    `┌─ ${title} ${'─'.repeat(width - widthOf(title) - 1)}┐`,
    ...[...lines, ...inner.lines.map((line) => indent + line)].map((line) => `│ ${pad(line, width)} │`),
    `└${'─'.repeat(width + 2)}┘`,
  ];
  return pictureOf(drawn, spotOf(node, 0));
}

function spotOf({ id }: GraphNode, line: number): Map<string, PicturePoint> {
  return new Map([[id, { line, left: true, right: true }]]);
}
