import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { STATE_FILE_MODE } from '../plan/run/state-file-modes';
import type { Terminal } from './terminal';

/**
 * Prints `{"run": …, [list]: […]}`, an item a line: whole, or nothing of it if an item cannot be read. Until all are there they wait in a
 * file, because they may be more than fits into memory.
 */
export async function printWhole(run: string, list: string, items: AsyncIterable<string>, { out }: Pick<Terminal, 'out'>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'thermidor-document-'));
  const file = join(folder, 'document.json');
  try {
    await pipeline(Readable.from(pieces(run, list, items)), createWriteStream(file, { mode: STATE_FILE_MODE }));
    for await (const text of createReadStream(file, 'utf8')) out(String(text));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* pieces(run: string, list: string, items: AsyncIterable<string>): AsyncGenerator<string> {
  yield `{\n  "run": ${JSON.stringify(run)},\n  ${JSON.stringify(list)}: [`;
  let first = true;
  for await (const item of items) {
    yield `${first ? '' : ','}\n    ${item}`;
    first = false;
  }
  yield `${first ? '' : '\n  '}]\n}\n`;
}
