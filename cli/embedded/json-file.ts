import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { STATE_FILE_MODE } from '../../plan/run/state-file-modes';

/** What the file says, or undefined where it is missing, torn or no JSON: all of them mean that nobody vouches for it. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whole or not at all, even with concurrent readers and crashes. */
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
