import { truncateColored } from './text/printable';

/**
 * A few lines at the end of the output that are redrawn in place.
 *
 * Invariants: 1. a drawing never has more or wider lines than the screen, or the cursor could not get back to its beginning;
 * 2. `clear` and `finish` leave the cursor on a line of its own; 3. a drawing that looks like the previous one writes nothing.
 */
export class LiveRegion {
  private drawn: readonly string[] = [];

  constructor(
    private readonly write: (text: string) => void,
    private readonly rows: () => number,
    private readonly columns: () => number,
  ) {}

  draw(lines: readonly string[]): void {
    const fitting = cropped(lines, Math.max(3, this.rows() - 1)).map((line) => truncateColored(line, this.columns()));
    if (fitting.length === this.drawn.length && fitting.every((line, i) => line === this.drawn[i])) return;
    this.write(`${this.backToStart()}${fitting.map((line) => `${line}${CLEAR_LINE_END}\n`).join('')}${CLEAR_BELOW}`);
    this.drawn = fitting;
  }

  /** Takes the drawing off the screen, so that something else can be written. The next `draw` starts below that. */
  clear(): void {
    if (this.drawn.length === 0) return;
    this.write(`${this.backToStart()}${CLEAR_BELOW}`);
    this.drawn = [];
  }

  /** Leaves the drawing where it is. */
  finish(): void {
    this.drawn = [];
  }

  private backToStart(): string {
    return this.drawn.length === 0 ? '' : `\u001b[${this.drawn.length}A\r`;
  }
}

const CLEAR_LINE_END = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Keeps beginning and end; a number replaces the middle if it does not fit. */
function cropped(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  const head = Math.ceil((most - 1) / 2);
  const tail = most - 1 - head;
  return [...lines.slice(0, head), `   … ${lines.length - head - tail} more lines`, ...lines.slice(lines.length - tail)];
}
