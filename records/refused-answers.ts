/** An answer that was not taken. It never holds a token, a signature or the key of a gate that exists. */
export interface RefusedAnswer {
  at: string;
  status: number;
  reason: string;
  /** Which way it came. */
  way: string;
  /** The sender, if proven; else the address. */
  from: string;
  run?: string;
  step?: string;
  by?: string;
  /** What was asked for, if there is no such gate. */
  key?: string;
}

/**
 * All answers that the listener refused. A store that takes none is warned of once, and answers are refused all the same.
 *
 * Requires of the store: appending a line. It may be lost in a crash.
 */
export interface RefusedAnswers {
  add(answer: RefusedAnswer): void;
  /** Settles when all that was added is written. */
  written(): Promise<void>;
}
