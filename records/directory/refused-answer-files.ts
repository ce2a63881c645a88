import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { STATE_FILE_MODE, STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import type { RefusedAnswer, RefusedAnswers } from '../refused-answers';
import { stateLayout } from './state-layout';

const LIMIT_BYTES = 1024 * 1024;
const TEXT_CHARACTERS = 500;
/** Lines that wait for a slow disk; beyond that they are counted only. */
const MOST_WAITING = 1_000;

/**
 * On a directory: JSON lines in `<state>/callbacks/refused.jsonl`, of at most 1 MiB, and the file before it (`.1`). Lines are written one
 * after the other.
 */
export class RefusedAnswerFiles implements RefusedAnswers {
  private readonly path: string;
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;
  private dropped = 0;
  private usable = true;

  constructor(
    stateDir: string,
    private readonly warn: (message: string) => void,
    private readonly limitBytes = LIMIT_BYTES,
  ) {
    this.path = stateLayout(stateDir).refusedAnswers;
  }

  add(entry: RefusedAnswer): void {
    if (this.waiting >= MOST_WAITING) {
      this.dropped++;
      return;
    }
    this.waiting++;
    const dropped = this.dropped === 0 ? {} : { droppedBefore: this.dropped };
    this.dropped = 0;
    const line = `${JSON.stringify({ ...entry, reason: entry.reason.slice(0, TEXT_CHARACTERS), ...dropped })}\n`;
    this.last = this.last.then(() => this.write(line)).finally(() => this.waiting--);
  }

  written(): Promise<void> {
    return this.last;
  }

  private async write(line: string): Promise<void> {
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: STATE_FOLDER_MODE });
      if ((await sizeOf(this.path)) + Buffer.byteLength(line) > this.limitBytes) await rename(this.path, `${this.path}.1`);
      await appendFile(this.path, line, { mode: STATE_FILE_MODE });
      this.usable = true;
    } catch (error) {
      if (this.usable)
        this.warn(`refused callbacks cannot be written to ${this.path}: ${error instanceof Error ? error.message : String(error)}`);
      this.usable = false;
    }
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    // It does not exist yet; any other problem shows when it is written.
    return 0;
  }
}
