import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { STATE_FILE_MODE, STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';

/** One answer that was not taken. It never holds a token, a signature or the key of a gate that exists. */
export interface RefusedEntry {
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
  /** What was asked for, where there is no such gate. */
  key?: string;
}

const LIMIT_BYTES = 1024 * 1024;
const TEXT_CHARACTERS = 500;
/** Lines that wait for a slow disk; beyond that they are counted only. */
const MOST_WAITING = 1_000;

/**
 * All that was refused, as JSON lines in one file of at most 1 MiB and the one before it (`.1`). Lines are written one after the
 * other. Where the disk takes none, that is warned of once, and answers are refused all the same.
 */
export class RefusedLog {
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;
  private dropped = 0;
  private usable = true;

  constructor(
    private readonly path: string,
    private readonly warn: (message: string) => void,
    private readonly limitBytes = LIMIT_BYTES,
  ) {}

  add(entry: RefusedEntry): void {
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

  /** Settles when all that was added is written. */
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
    // Not there yet; whatever else is wrong shows when it is written.
    return 0;
  }
}
