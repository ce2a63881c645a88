/**
 * One figure of a bench: ours, the reference, and the ratio it should keep. `--json` prints it unchanged, so names and order of the fields
 * are a contract with the programs that collect them.
 */
export interface Figure {
  bench: string;
  case: string;
  metric: string;
  ours: number;
  reference: number;
  unit: string;
  /** Ours divided by the reference, from the measured values and not the printed ones. */
  ratio: number;
  /** The highest good ratio. null: the figure explains others and has none. */
  aim: number | null;
}

export type Measured = Omit<Figure, 'ratio'>;

const SIGNIFICANT_DIGITS = 4;
/** Ratios are compared as printed, to the hundredth: finer differences are noise, or an event in a thousand. */
const RATIO_STEPS = 100;

export function figureOf({ bench, case: name, metric, ours, reference, unit, aim }: Measured): Figure {
  const ratio = Math.round((ours / reference) * RATIO_STEPS) / RATIO_STEPS;
  return { bench, case: name, metric, ours: rounded(ours), reference: rounded(reference), unit, ratio, aim };
}

export function isMissed({ ratio, aim }: Pick<Figure, 'ratio' | 'aim'>): boolean {
  // Also true if the ratio is not a number: nothing was measured.
  return aim !== null && !(ratio <= aim);
}

/** The middle one of an odd number of values, the mean of the middle two of an even one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('there is no median of nothing');
  return (lower + upper) / 2;
}

function rounded(value: number): number {
  return Math.abs(value) >= 10 ** SIGNIFICANT_DIGITS ? Math.round(value) : Number(value.toPrecision(SIGNIFICANT_DIGITS));
}
