import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Interrupted } from './bench';

/** An empty folder for a measurement, and the signal that ends it. */
export interface Scratch {
  folder: string;
  signal: AbortSignal;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Leaves no file behind, even if it is interrupted: then it fails with Interrupted. */
export async function inScratch<T>(play: (scratch: Scratch) => Promise<T>, base = tmpdir()): Promise<T> {
  const folder = mkdtempSync(join(base, 'thermidor-bench-'));
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await play({ folder, signal: stop.signal });
  } catch (error) {
    throw stop.signal.aborted ? new Interrupted('interrupted') : error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    rmSync(folder, { recursive: true, force: true });
  }
}
