import type { Figure } from './figure';

/** Something that can be measured: cases of its own, figures in the one form. */
export interface Bench {
  name: string;
  /** One line for the help text. */
  doc: string;
  cases: readonly string[];
  measure(options: BenchOptions): Promise<Figure[]>;
}

export interface BenchOptions {
  /** Names out of the bench's `cases`. */
  cases: readonly string[];
  /** How often each case is measured; figures are medians. */
  rounds: number;
  /** Where CPU profiles of the measured processes go. Absent: none are taken. */
  profileDir?: string;
  /** Takes progress and what a reader must know of the machine; never figures. */
  say(line: string): void;
}

/** Fewer rounds are for trying: one slow moment of the machine decides their medians. */
export const TRUSTED_ROUNDS = 5;

/** Somebody ended the bench before its figures were there. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
