import type { Terminal } from '../../terminal';
import { pad, truncateColored, widthOf } from './printable';

/** Blanks between columns. */
const GAP = 2;
/** A column is not cut below this. */
const LEAST = 8;

/**
 * Rows below their headings, each on one line. On a terminal columns without room are cut with `…`, the widest first and the one that names
 * the rows last; in a pipe nothing is cut.
 */
export function renderTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  { colors, live, columns }: Pick<Terminal, 'colors' | 'live' | 'columns'>,
): string {
  const cells = [headers.map((header) => colors.dim(header)), ...rows.map((row) => headers.map((_, i) => onOneLine(row[i] ?? '')))];
  const whole = widthsOf(cells);
  const widths = live ? withinRoom(whole, columns()) : whole;
  return cells.map((row) => `${lineOf(row, widths)}\n`).join('');
}

/** Columns without headings, uncut: the last one is prose. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = widthsOf(rows);
  return rows.map((row) => lineOf(row, widths));
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: count }, (_, i) => Math.max(0, ...rows.map((row) => widthOf(row[i] ?? ''))));
}

function withinRoom(whole: readonly number[], room: number): number[] {
  const widths = [...whole];
  const least = widths.map((width) => Math.min(width, LEAST));
  for (let over = widths.reduce((sum, width) => sum + width + GAP, -GAP) - room; over > 0; over--) {
    const cuttable = widths.flatMap((width, i) => (width > (least[i] ?? 0) ? [i] : []));
    const widest = cuttable.filter((i) => i > 0).sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0] ?? cuttable[0];
    if (widest === undefined) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** The last column is left ragged. */
function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, i) => {
      const width = widths[i] ?? 0;
      const cut = widthOf(cell) > width ? truncateColored(cell, width) : cell;
      return i === row.length - 1 ? cut : pad(cut, width);
    })
    .join(' '.repeat(GAP))
    .trimEnd();
}

function onOneLine(cell: string): string {
  return cell.replace(/\s*[\r\n]+\s*/g, ' ');
}
