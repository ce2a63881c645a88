import { ThreadLineSearch } from '../../activities/adapters/threads/line-search';
import { ToolRefusal } from '../../activities/tool-ports';
import type { PrintedLine } from '../../records/logs/printed-lines';
import { usage } from '../exit';

const BATCH_LINES = 2000;
const BATCH_CHARACTERS = 4 * 1024 * 1024;

/**
 * The lines in which a regular expression is found, with JavaScript's syntax and a leading `(?i)`. It is searched in a thread that ends
 * with its time, so no expression can hang the command.
 */
export async function* grepLines(lines: AsyncIterable<PrintedLine>, pattern: string, signal: AbortSignal): AsyncGenerator<PrintedLine> {
  const search = openSearch(pattern, signal);
  let batch: PrintedLine[] = [];
  let characters = 0;
  const found = async (): Promise<PrintedLine[]> => {
    const searched = batch;
    batch = [];
    characters = 0;
    if (searched.length === 0) return [];
    const hits = await search.lines(searched.map(({ text }) => `${text}\n`).join(''), { most: BATCH_LINES, context: 0 });
    if (!hits) throw usage(`--grep ${pattern} takes too long`, 'use a simpler pattern');
    return hits.flatMap(({ line }) => searched[line - 1] ?? []);
  };
  try {
    for await (const line of lines) {
      batch.push(line);
      characters += line.text.length;
      if (batch.length >= BATCH_LINES || characters > BATCH_CHARACTERS) yield* await found();
    }
    yield* await found();
  } finally {
    await search.close();
  }
}

/** Fails with exit 2 if it is no regular expression. */
export function openSearch(pattern: string, signal: AbortSignal): ReturnType<ThreadLineSearch['open']> {
  try {
    return new ThreadLineSearch().open({ pattern, ignoreCase: false }, signal);
  } catch (error) {
    if (error instanceof ToolRefusal) throw usage(`--grep: ${error.message}`);
    throw error;
  }
}
