import type { Conflict } from '../../git-model';
import { nulParts } from './listings';

/** Parses lines of `mode id stage TAB path`, grouped by path. */
export function parseUnmerged(listing: Buffer): Conflict[] {
  const found = new Map<string, { path: Buffer; stages: Conflict['stages'][number][] }>();
  for (const part of nulParts(listing)) {
    const tab = part.indexOf(0x09);
    const [mode = '', id = '', digit = ''] = part.toString('latin1', 0, tab).split(' ');
    const stage = STAGES.find((one) => String(one) === digit);
    if (tab < 0 || stage === undefined) continue;
    const path = part.subarray(tab + 1);
    const key = path.toString('latin1');
    const conflict = found.get(key) ?? { path, stages: [] };
    conflict.stages.push({ stage, mode, id });
    found.set(key, conflict);
  }
  return [...found.values()];
}

const STAGES = [1, 2, 3] as const;
