import type { Picture, PicturePoint } from './picture';

/** An edge from a step back to an earlier one of the same block. */
export interface BackEdge {
  from: string;
  to: string;
}

/**
 * Draws ways back as rails next to a block: on the right if nothing is between the boxes and the edge, else on the left, else not at all
 * (the box of the step says where it goes). Short ways are inside of long ones.
 */
export function withBackEdges(block: Picture, ways: readonly BackEdge[]): Picture {
  const spans = ways.flatMap(({ from, to }) => {
    const [source, target] = [block.spots.get(from), block.spots.get(to)];
    return source && target && source.line > target.line ? [{ source, target }] : [];
  });
  spans.sort((a, b) => a.source.line - a.target.line - (b.source.line - b.target.line));
  const right = spans.filter(({ source, target }) => source.right && target.right);
  const left = spans.filter((span) => !right.includes(span) && span.source.left && span.target.left);
  return railed(railed(block, right, 'right'), left, 'left');
}

/** How many columns the rails of this many ways add to a block. */
export function railRoom(ways: number): number {
  return ways === 0 ? 0 : 2 * ways + 1;
}

interface Span {
  source: PicturePoint;
  target: PicturePoint;
}

function railed(block: Picture, spans: readonly Span[], side: 'left' | 'right'): Picture {
  if (spans.length === 0) return block;
  const rails = railsOf(spans, block.lines.length);
  const [sources, targets] = [new Set(spans.map(({ source }) => source.line)), new Set(spans.map(({ target }) => target.line))];
  const lines = block.lines.map((line, y) => {
    const rail = rails[y] ?? '';
    const drawn = side === 'right' ? line.trimEnd() : line.trimStart();
    const blank = line.length - drawn.length;
    const begin = targets.has(y) ? '◄' : sources.has(y) ? '─' : ' ';
    const way = begin === ' ' ? ' '.repeat(blank) + rail : begin + '─'.repeat(blank) + rail.slice(1);
    return side === 'right' ? drawn + way : mirrored(way) + drawn;
  });
  const shift = railRoom(spans.length);
  return { ...block, lines, width: block.width + shift, axis: block.axis + (side === 'left' ? shift : 0) };
}

/** A grid next to the block, as lines: the n-th way has its rail in the n-th second column. */
function railsOf(spans: readonly Span[], height: number): string[] {
  const grid = Array.from({ length: height }, () => Array.from({ length: railRoom(spans.length) }, () => ' '));
  const put = (y: number, x: number, mark: string): void => {
    const row = grid[y];
    if (row) row[x] = JOINED[`${row[x]}${mark}`] ?? mark;
  };
  for (const [i, { source, target }] of spans.entries()) {
    const column = 2 * i + 2;
    for (let y = target.line + 1; y < source.line; y++) put(y, column, '│');
    for (const { line } of [source, target]) for (let x = 0; x < column; x++) put(line, x, '─');
    put(source.line, column, '┘');
    put(target.line, column, '┐');
  }
  return grid.map((row) => row.join(''));
}

/** The mark for two marks in one place. */
const JOINED: Readonly<Record<string, string>> = { '│─': '┼', '─│': '┼', '┐─': '┬', '┘─': '┴', '┼─': '┼', '┬─': '┬', '┴─': '┴' };

const MIRROR: Readonly<Record<string, string>> = { '┘': '└', '┐': '┌', '◄': '►' };

function mirrored(way: string): string {
  return [...way]
    .reverse()
    .map((mark) => MIRROR[mark] ?? mark)
    .join('');
}
