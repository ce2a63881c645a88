import type { Quorum } from '../../plan/people/quorum';
import type { Located, Report } from '../diagnostics/diagnostic';
import { RANGES } from '../language/ranges';
import type { Entry } from '../read/node';
import { wrongType } from './values';

/**
 * Reads a quorum from its source text, because `1` and `1.0` mean different things: integer text is a count, a fraction or a decimal
 * point makes it a share. The same in parallel steps, gates and votes.
 */
export function quorumSetting({ key, value }: Entry, report: Report): Located<Quorum> | undefined {
  const expected = 'a count such as 2, or a share such as 2/3 or 0.6';
  if (value.kind !== 'scalar') return wrongType(value, key, expected, report);
  const text = value.text.trim();
  const quorum = readQuorum(text);
  if (quorum) return { value: quorum, at: value.at };
  if (/^[\d./-]+$/.test(text)) {
    const { min, max } = RANGES.quorum;
    report('shape.out-of-range', value.at, `"${key}" is a count from ${min} to ${max}, or a share over 0 up to 1, not ${text}`);
    return undefined;
  }
  return wrongType(value, key, expected, report, /^\d+ ?%$/.test(text) ? `write ${Number.parseInt(text, 10) / 100}` : undefined);
}

function readQuorum(text: string): Quorum | undefined {
  if (/^\d+$/.test(text)) return within(Number(text), RANGES.quorum.max) ? { count: Number(text) } : undefined;
  const share = fraction(text) ?? third(text) ?? decimal(text);
  return share && within(share[0], share[1]) ? { share } : undefined;
}

type Share = [numerator: number, denominator: number];

function fraction(text: string): Share | undefined {
  const [, above, below] = /^(\d{1,4}) *\/ *(\d{1,4})$/.exec(text) ?? [];
  return above === undefined || below === undefined ? undefined : [Number(above), Number(below)];
}

/** The share that 0.33 or 0.667 means: nobody writes these to mean that 33 of 100 are enough and 1 of 3 is not. */
function third(text: string): Share | undefined {
  if (/^0?\.3{2,}$/.test(text)) return [1, 3];
  return /^0?\.6+7$/.test(text) ? [2, 3] : undefined;
}

function decimal(text: string): Share | undefined {
  const [, whole, digits] = /^([01]?)\.(\d{1,9})$/.exec(text) ?? [];
  return digits === undefined ? undefined : [Number(`${whole}${digits}`), 10 ** digits.length];
}

function within(value: number, max: number): boolean {
  return value >= 1 && value <= max;
}
