import type { Graph, GraphEdge, GraphNode } from '../../../plan/graph/graph-model';
import type { Colors } from '../../terminal';
import { oneLine, truncateColored } from '../text/printable';
import { plainMarks } from './ascii-marks';
import { type BackEdge, railRoom, withBackEdges } from './back-edges';
import { BOX_EDGES, boxOf, frameOf } from './boxes';
import { below, beside, type Picture, pictureOf, spread, stroke } from './picture';

export interface DrawingOptions {
  columns: number;
  /** Lines and corners of Unicode; else of ASCII. */
  unicode: boolean;
  colors: Colors;
}

/**
 * A pipeline as drawn on a terminal: boxes from top to bottom, parallel steps side by side, containers as frames, ways back as rails. Pure.
 *
 * Invariants: 1. no line is wider than the terminal; 2. every step is in it once; 3. a line between two rows says that each step below
 * waits for each above; if that is not so, the box names what it waits for; 4. every way back is named in its step's box, whether or not
 * there is room for its rail.
 */
export function drawGraph(graph: Graph, { columns, unicode, colors }: DrawingOptions): string {
  const drawing: Drawing = { colors, edges: graph.edges, names: namesOf(graph.nodes) };
  const { lines } = blockOf(graph.nodes, columns, drawing);
  const cut = [colors.bold(oneLine(graph.name)), ...lines].map((line) => truncateColored(line.trimEnd(), columns));
  return cut.map((line) => `${unicode ? line : plainMarks(line)}\n`).join('');
}

interface Drawing {
  colors: Colors;
  edges: readonly GraphEdge[];
  names: ReadonlyMap<string, string>;
}

/** Rows of consecutive steps, and the rails next to them. */
function blockOf(nodes: readonly GraphNode[], most: number, drawing: Drawing): Picture {
  const ways = waysWithin(nodes, drawing.edges);
  const room = most - railRoom(ways.length);
  const rows = rowsOf(nodes);
  const parts: Picture[] = [];
  const joined = rows.map((row, i) => i > 0 && row.every(({ id }) => waitsForAll(id, rows[i - 1] ?? [], drawing.edges)));
  for (const [i, row] of rows.entries()) {
    const isJoined = joined[i] === true;
    const pictures = row.map((node) => nodeOf(node, isJoined ? [] : waitedFor(node, drawing), room, drawing));
    parts.push(
      ...linkOf(parts.length === 0 ? 'none' : isJoined ? 'all' : 'some'),
      ...inRows(pictures, room, isJoined, joined[i + 1] === true),
    );
  }
  return withBackEdges(below(parts), ways);
}

function linkOf(which: 'none' | 'all' | 'some'): Picture[] {
  return which === 'none' ? [] : [stroke(which === 'all' ? '│' : '┆')];
}

/** Pictures side by side as far as there is room; the rest below, still parallel to them. */
function inRows(pictures: readonly Picture[], room: number, isJoined: boolean, isGatheredBelow: boolean): Picture[] {
  const chunks: Picture[][] = [];
  let width = 0;
  for (const picture of pictures) {
    width += picture.width + 2;
    if (chunks.length === 0 || width - 2 > room) {
      chunks.push([]);
      width = picture.width + 2;
    }
    chunks.at(-1)?.push(picture);
  }
  return chunks.flatMap((chunk, i) => {
    const isGathered = isGatheredBelow && i === chunks.length - 1 && chunk.length > 1;
    const row = beside(chunk, isGathered);
    const fork = isJoined && i === 0 && chunk.length > 1 ? [busOf(row, 'down')] : [];
    const join = isGathered ? [busOf(row, 'up')] : [];
    return [...(i > 0 ? [stroke('∥')] : []), ...fork, row, ...join];
  });
}

function busOf({ axes, axis, width }: Picture & { axes: readonly number[] }, way: 'down' | 'up'): Picture {
  return { ...pictureOf([spread(axes, axis, way).padEnd(width)]), axis, width };
}

function nodeOf(node: GraphNode, after: readonly string[], most: number, drawing: Drawing): Picture {
  const { colors } = drawing;
  const notes = [...(after.length === 0 ? [] : [`after ${after.join(', ')}`]), ...waysFrom(node, drawing)];
  if (node.within === undefined || node.within.length === 0) return boxOf(node, notes, most, colors);
  return frameOf(node, blockOf(node.within, most - BOX_EDGES, drawing), notes, most, colors);
}

function rowsOf(nodes: readonly GraphNode[]): GraphNode[][] {
  const rows = new Map<number, GraphNode[]>();
  for (const node of nodes) rows.set(node.depth, [...(rows.get(node.depth) ?? []), node]);
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
}

function waitsForAll(id: string, above: readonly GraphNode[], edges: readonly GraphEdge[]): boolean {
  const before = edges.filter((edge) => edge.to === id && isForward(edge)).map(({ from }) => from);
  return before.length === above.length && above.every((node) => before.includes(node.id));
}

function isForward({ kind }: GraphEdge): boolean {
  return kind === 'order' || kind === 'finally';
}

function waitedFor({ id, kind }: GraphNode, { edges, names }: Drawing): string[] {
  if (kind === 'finally') return [];
  return edges.flatMap((edge) => (edge.to === id && isForward(edge) ? [names.get(edge.from) ?? edge.from] : []));
}

/** The ways back from a step, in words, for its box. */
function waysFrom({ id }: GraphNode, { edges, names }: Drawing): string[] {
  return edges.flatMap(({ from, to, kind, label }) =>
    kind === 'back' && from === id ? [`↺ ${names.get(to) ?? to}: ${label ?? 'again'}`] : [],
  );
}

/** The ways between two steps of this block, whichever inner step they mean. */
function waysWithin(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): BackEdge[] {
  const tops = new Map(nodes.flatMap((node) => idsOf(node).map((id) => [id, node.id] as const)));
  return edges.flatMap(({ from, to, kind }) => {
    const [source, target] = [tops.get(from), tops.get(to)];
    return kind === 'back' && source !== undefined && target !== undefined && source !== target ? [{ from: source, to: target }] : [];
  });
}

function idsOf({ id, within = [] }: GraphNode): string[] {
  return [id, ...within.flatMap(idsOf)];
}

function namesOf(nodes: readonly GraphNode[], names = new Map<string, string>()): Map<string, string> {
  for (const { id, name, within } of nodes) {
    names.set(id, oneLine(name));
    namesOf(within ?? [], names);
  }
  return names;
}
