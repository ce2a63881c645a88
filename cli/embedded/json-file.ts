import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { STATE_FILE_MODE } from '../../plan/run/state-file-modes';

/** The content of a JSON file, or undefined if it is missing, torn or invalid: none of these can be trusted. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Writes the file completely or not at all, even with concurrent readers and crashes. */
export function writeJsonFile(path: string, value: object): void {
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: STATE_FILE_MODE });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
