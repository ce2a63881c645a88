import { renderTable } from '../cli/rendering/text/table';
import type { Colors } from '../cli/terminal';
import { type Figure, isMissed } from './figure';

/** One line for each figure, for programs. */
export function jsonLines(figures: readonly Figure[]): string {
  return figures.map((figure) => `${JSON.stringify(figure)}\n`).join('');
}

const HEADERS = ['bench', 'case', 'metric', 'ours', 'reference', 'unit', 'ratio', 'aim', ''] as const;
const NUMBERS: ReadonlySet<string> = new Set(['ours', 'reference', 'ratio', 'aim']);

/** The same for people: numbers flush right, and a word for each aim that is kept or missed. */
export function figureTable(figures: readonly Figure[], colors: Colors): string {
  const cells = [
    [...HEADERS],
    ...figures.map((figure) => [
      figure.bench,
      figure.case,
      figure.metric,
      amount(figure.ours),
      amount(figure.reference),
      figure.unit,
      figure.ratio.toFixed(2),
      figure.aim === null ? '' : figure.aim.toFixed(2),
      mark(figure, colors),
    ]),
  ];
  const widths = HEADERS.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const aligned = cells.map((row) =>
    row.map((cell, column) => (NUMBERS.has(HEADERS[column] ?? '') ? cell.padStart(widths[column] ?? 0) : cell)),
  );
  const [headers = [], ...rows] = aligned;
  return renderTable(headers, rows, { colors, live: false, columns: () => 0 });
}

function mark(figure: Figure, colors: Colors): string {
  if (figure.aim === null) return '';
  return isMissed(figure) ? colors.red('missed') : colors.green('kept');
}

function amount(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 4 });
}
