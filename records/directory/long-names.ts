import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ThermidorFailure } from '../../plan/run/failure';
import { createFile, readIfThere, unlessGone } from './durable-file';
import { fileName, textOfName } from './file-name';
import { scratchOf } from './state-layout';

/**
 * What shortened file names stand for: `<store>/.names/<file name>` has the whole text. A store moves to a database only by whole names.
 * No text has a file name that begins with a full stop.
 */
const NAMES = '.names';

/** Keeps those of the texts whose file names are shortened. Called before anything gets such a name. */
export async function keepLongNames(store: string, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const name = fileName(text);
    if (textOfName(name) !== undefined) continue;
    const path = join(store, NAMES, name);
    if (!(await unlessGone(() => access(path).then(() => true)))) await createFile({ path, scratch: scratchOf(store) }, text);
  }
}

/** The text of a file name. Fails with `store.unavailable` if it was shortened, and nothing says what it was. */
export async function wholeText(store: string, name: string): Promise<string> {
  const text = textOfName(name) ?? (await readIfThere(join(store, NAMES, name)))?.toString('utf8');
  if (text !== undefined && fileName(text) === name) return text;
  throw new ThermidorFailure('store.unavailable', `the folder ${store} has the name ${name}, and not what it stands for`, { path: store });
}
