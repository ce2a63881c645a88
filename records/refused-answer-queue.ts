import { beginning } from '../plan/text/shortened';
import type { RefusedAnswer, RefusedAnswers } from './refused-answers';

const TEXT_CHARACTERS = 500;
/** Answers that wait for a slow store; beyond that they are counted only. */
const MOST_WAITING = 1_000;

/** What a store adds to the port: how lines are written, each once, and where they are. */
export interface RefusalWriter {
  write(lines: readonly string[]): Promise<void>;
  /** For people. */
  place: string;
}

/** Writes refused answers as lines of JSON, in order: all that waited while the last ones were written go at once. */
export class RefusedAnswerQueue implements RefusedAnswers {
  private readonly waiting: string[] = [];
  private last: Promise<void> = Promise.resolve();
  private dropped = 0;
  private isUsable = true;

  constructor(
    private readonly to: RefusalWriter,
    private readonly warn: (message: string) => void,
  ) {}

  add(entry: RefusedAnswer): void {
    if (this.waiting.length >= MOST_WAITING) {
      this.dropped++;
      return;
    }
    const dropped = this.dropped === 0 ? {} : { droppedBefore: this.dropped };
    this.dropped = 0;
    this.waiting.push(JSON.stringify({ ...entry, reason: beginning(entry.reason, TEXT_CHARACTERS), ...dropped }));
    // The first of those that wait has them all written.
    if (this.waiting.length === 1) this.last = this.last.then(() => this.write());
  }

  written(): Promise<void> {
    return this.last;
  }

  private async write(): Promise<void> {
    try {
      await this.to.write(this.waiting.splice(0));
      this.isUsable = true;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (this.isUsable) this.warn(`refused callbacks cannot be written to ${this.to.place}: ${problem}`);
      this.isUsable = false;
    }
  }
}
