import type { ChangedPath } from '../../git-model';
import { nulParts } from './listings';

const CHANGES: Readonly<Record<string, ChangedPath['change']>> = { A: 'added', D: 'deleted', M: 'modified', T: 'type-changed' };

export interface RawChange extends ChangedPath {
  oldMode: string;
}

/** Parses a listing of `--raw -z --no-renames`: `:mode mode id id letter`, then the path. */
export function parseRawDiff(listing: Buffer): RawChange[] {
  const parts = nulParts(listing);
  const found: RawChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode = '', mode = '', , , letter = ''] = parts[at]?.toString('latin1').slice(1).split(' ') ?? [];
    const [path, change] = [parts[at + 1], CHANGES[letter.charAt(0)]];
    if (path && change) found.push({ path, change, mode, oldMode });
  }
  return found;
}
