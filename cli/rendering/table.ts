import type { Colors } from '../terminal';
import { pad, widthOf } from './printable';

/** Columns as wide as what stands in them; the last one is left ragged. */
export function renderTable(headers: readonly string[], rows: readonly (readonly string[])[], colors: Colors): string {
  const widths = headers.map((header, i) => Math.max(widthOf(header), ...rows.map((row) => widthOf(row[i] ?? ''))));
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, i) => (i === widths.length - 1 ? (cells[i] ?? '') : pad(cells[i] ?? '', width)))
      .join('  ')
      .trimEnd();
  return [colors.dim(line(headers)), ...rows.map(line)].map((text) => `${text}\n`).join('');
}
