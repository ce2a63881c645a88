import { randomUUID } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { STATE_FILE_MODE } from '../../plan/run/state-file-modes';
import { unlessGone } from './durable-file';

/** Times of files that say who wrote when, all by the clock of the store: "now" is the date of a file that is written to ask. */

/** The content is not empty, for truncating an empty file gives it no new date. @param said @default something for people */
export async function sign(path: string, said = `${hostname()} ${process.pid}\n`): Promise<void> {
  await writeFile(path, said, { mode: STATE_FILE_MODE });
}

/** The time by the clock of the folder's store. */
export async function storeNow(folder: string): Promise<number> {
  const probe = join(folder, `.now-${randomUUID()}`);
  try {
    await sign(probe);
    return (await stat(probe)).mtimeMs;
  } finally {
    await rm(probe, { force: true });
  }
}

/** When the file was last changed, by the same clock, in milliseconds since the epoch; undefined if it is gone. */
export async function dateOf(path: string): Promise<number | undefined> {
  return (await unlessGone(() => stat(path)))?.mtimeMs;
}
