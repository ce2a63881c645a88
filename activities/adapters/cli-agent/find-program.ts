import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/**
 * The absolute path of the file that a program's name leads to. A name with a slash is relative to the worker's own folder, never to the
 * agent's. Undefined if there is no executable one.
 */
export async function findProgram(name: string, path: string): Promise<string | undefined> {
  if (name.includes('/')) return (await isProgram(name)) ? resolve(name) : undefined;
  for (const folder of path.split(delimiter)) {
    // An empty or relative entry would mean the agent's folder.
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    if (await isProgram(file)) return file;
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Whatever the reason, it cannot be run.
    return false;
  }
}
