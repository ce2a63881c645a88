import type { Figure } from './figure';

/** A benchmark: cases of its own, figures in the common form. */
export interface Bench {
  name: string;
  /** One line for the help text. */
  doc: string;
  cases: readonly string[];
  measure(options: BenchOptions): Promise<Figure[]>;
}

export interface BenchOptions {
  /** Names from the bench's `cases`. */
  cases: readonly string[];
  /** How often each case is measured; figures are medians. */
  rounds: number;
  /** Whether the server keeps its database in memory, for benches that support this. Otherwise it is on disk. */
  memory: boolean;
  /** `host:port` of a Temporal server that runs already, for benches that support this. Absent: they start one. */
  address?: string;
  /** Where CPU profiles of the measured processes are written. Absent: none are taken. */
  profileDir?: string;
  /** Prints progress and notes on the machine; never figures. */
  say(line: string): void;
}

/** Fewer rounds are only for trials: one slow moment of the machine decides their medians. */
export const TRUSTED_ROUNDS = 5;

/** Somebody ended the bench before its figures were there. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
