import { until } from './until';

/** How a program ended, and what it printed. */
export interface Finished {
  /** Null if a signal ended it. */
  code: number | null;
  out: string;
  err: string;
}

/** A command that runs, and its output so far. */
export abstract class Running {
  out = '';
  err = '';
  abstract readonly finished: Promise<Finished>;
  abstract get ended(): boolean;

  /** @param line as it was typed, for errors */
  protected constructor(private readonly line: string) {}

  /** The first line of its output that fits. Fails at once if it ended without one. */
  async untilLine(pattern: RegExp): Promise<string> {
    return until(`a line ${pattern} of ${this.line}`, () => {
      const line = this.out.split('\n').find((text) => pattern.test(text));
      if (line === undefined && this.ended) throw new Error(`it ended without a line ${pattern}:\n${this.out}${this.err}`);
      return line;
    });
  }

  /** Looks until there is something to see. If there is nothing in time, or the command ended before, the error has its output. */
  async until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    try {
      return await until(what, () => {
        const seen = look();
        if (this.ended && (seen === undefined || seen === false)) throw new Error(`it ended before this: ${what}`);
        return seen;
      });
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${this.out}${this.err}`);
    }
  }

  /** Waits for its end, which has to be with this code; else the error has its output. */
  async endsWith(code: number): Promise<Finished> {
    const finished = await this.finished;
    if (finished.code === code) return finished;
    throw new Error(`${this.line} ended with ${finished.code}, not ${code}:\n${finished.out}${finished.err}`);
  }
}
