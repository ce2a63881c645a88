import { pad, widthOf } from '../text/printable';

/**
 * A part of a drawing: lines of one width, the column that connects it to what is above and below, and the positions of its steps. Wide
 * characters and colours are counted as a terminal shows them.
 */
export interface Picture {
  lines: string[];
  width: number;
  axis: number;
  spots: ReadonlyMap<string, PicturePoint>;
}

/** The line at which a way leads into a step's box, and the sides from which nothing is between. */
export interface PicturePoint {
  line: number;
  left: boolean;
  right: boolean;
}

export function pictureOf(lines: readonly string[], spots: ReadonlyMap<string, PicturePoint> = new Map()): Picture {
  const width = Math.max(0, ...lines.map(widthOf));
  return { lines: lines.map((line) => pad(line, width)), width, axis: Math.floor((width - 1) / 2), spots };
}

/** Pictures one below another, their axes in one column. */
export function below(parts: readonly Picture[]): Picture {
  const axis = Math.max(0, ...parts.map((part) => part.axis));
  const width = axis + Math.max(0, ...parts.map((part) => part.width - part.axis));
  const lines: string[] = [];
  const spots = new Map<string, PicturePoint>();
  for (const part of parts) {
    for (const [id, spot] of part.spots) spots.set(id, { ...spot, line: spot.line + lines.length });
    for (const line of part.lines) lines.push(pad(' '.repeat(axis - part.axis) + line, width));
  }
  return { lines, width, axis, spots };
}

const GAP = 2;

/**
 * Pictures side by side, aligned at the top; if they are gathered below, shorter ones have a line down to there. The result's axis is in
 * their middle.
 */
export function beside(parts: readonly Picture[], gathered: boolean): Picture & { axes: number[] } {
  const height = Math.max(0, ...parts.map(({ lines }) => lines.length));
  const rest = ({ axis, width }: Picture): string => pad(gathered ? `${' '.repeat(axis)}│` : '', width);
  const lines = Array.from({ length: height }, (_, y) => parts.map((part) => part.lines[y] ?? rest(part)).join(' '.repeat(GAP)));
  const axes: number[] = [];
  const spots = new Map<string, PicturePoint>();
  let from = 0;
  for (const [i, part] of parts.entries()) {
    axes.push(from + part.axis);
    for (const [id, { line, left, right }] of part.spots) {
      spots.set(id, { line, left: left && i === 0, right: right && i === parts.length - 1 });
    }
    from += part.width + GAP;
  }
  const width = Math.max(0, from - GAP);
  const [first = 0, last = 0] = [axes[0], axes.at(-1)];
  return { lines, width, axis: Math.floor((first + last) / 2), spots, axes };
}

/** The mark that goes straight down in an axis: `│`. */
export function stroke(mark: string): Picture {
  return { lines: [mark], width: 1, axis: 0, spots: new Map() };
}

/** One line that spreads from an axis to several, or gathers them: `┌──┴──┐`, `└──┬──┘`. */
export function spread(axes: readonly number[], axis: number, way: 'down' | 'up'): string {
  const [first = axis, last = axis] = [axes[0], axes.at(-1)];
  if (first === last) return `${' '.repeat(first)}│`;
  const [left, right, tee, own, cross] = way === 'down' ? '┌┐┬┴┼' : '└┘┴┬┼';
  const marks = Array.from({ length: last + 1 }, (_, x) => {
    if (x < first) return ' ';
    const isPart = axes.includes(x);
    if (x === axis) return isPart ? cross : own;
    return x === first ? left : x === last ? right : isPart ? tee : '─';
  });
  return marks.join('');
}
