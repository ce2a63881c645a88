import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { readPlainFile } from '../../worker/source-file';
import { CommandFailure, EXIT } from '../exit';
import { settingsText } from './settings-text';
import type { WorkingFolder } from './working-folder';

export const SETTINGS_FILE = 'thermidor.yaml';

/** `kept`: a file of that name exists and has other content. */
export type WriteOutcome = 'written' | 'same' | 'kept';

/** Writes the files that do not exist yet, and nothing else. Fails with `folder.unwritable`. */
export function writeFolder(folder: string, made: WorkingFolder): [path: string, outcome: WriteOutcome][] {
  return Object.entries(contentOf(made)).map(([path, content]) => [path, writeNew(join(folder, path), content)]);
}

/** Everything that a new folder has, by its path. */
export function contentOf({ pipeline, files, settings }: WorkingFolder): Record<string, string> {
  return { ...files, [SETTINGS_FILE]: settingsText(pipeline, settings) };
}

function writeNew(path: string, content: string): WriteOutcome {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw unwritable(path, error);
  }
  try {
    writeFileSync(path, content, { flag: 'wx' });
    return 'written';
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw unwritable(path, error);
    return saysSame(path, content) ? 'same' : 'kept';
  }
}

/** Whether the file has that content. A path that cannot be read is somebody's own: a folder of that name, or a broken link. */
function saysSame(path: string, content: string): boolean {
  try {
    return readPlainFile(path).toString('utf8') === content;
  } catch {
    return false;
  }
}

function unwritable(path: string, error: unknown): CommandFailure {
  const why = error instanceof Error ? error.message : String(error);
  return new CommandFailure(EXIT.failed, 'folder.unwritable', `${path} cannot be written: ${why}`);
}
