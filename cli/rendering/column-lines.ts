import type { ShownCell, ShownColumns, ShownCrossing } from '../../plan/steps/kind-view';
import type { Colors } from '../terminal';
import { stepSymbol } from './states';
import { oneLine, pad, widthOf } from './text/printable';
import { clock } from './text/time';

/** Two that go side by side, a line for each pair, and what both have to come to across both. */
export function columnLines({ heads, rows }: ShownColumns, colors: Colors): string[] {
  const [left, right] = heads.map(oneLine);
  const cells = rows.flatMap((row) => (row.kind === 'sides' && row.left ? [widthOf(oneLine(row.left.words)) + SYMBOL] : []));
  const width = Math.max(widthOf(left ?? ''), ...cells) + GAP;
  return [
    colors.dim(`${pad(left ?? '', width)}${right ?? ''}`),
    ...rows.map((row) => {
      if (row.kind === 'across') return crossingLine(row, colors);
      const shown = row.left ? widthOf(oneLine(row.left.words)) + SYMBOL : 0;
      return `${cellText(row.left, colors)}${' '.repeat(Math.max(0, width - shown))}${cellText(row.right, colors)}`.trimEnd();
    }),
  ];
}

const GAP = 4;
/** A symbol and a space. */
const SYMBOL = 2;

function cellText(cell: ShownCell | undefined, colors: Colors): string {
  return cell ? `${stepSymbol(cell.state, colors)} ${oneLine(cell.words)}` : '';
}

function crossingLine({ name, title, state, words, until }: ShownCrossing, colors: Colors): string {
  const titled = title === undefined ? '' : ` ${colors.dim(oneLine(title))}`;
  const limit = until === undefined ? '' : ` until ${clock(until)}`;
  return `${stepSymbol(state, colors)} ${colors.bold(`═ ${oneLine(name)}`)}${titled}  ${oneLine(words)}${limit}`;
}
