import type { MemoryItem } from '../../plan/memory/memory-file';
import type { Colors } from '../terminal';
import { oneLine, pad } from './text/printable';

/** An entry as `thermidor memory list` shows it; if a person wrote it, only its text is known. */
export interface ListedEntry {
  id: string;
  kind: 'pattern' | 'prevention' | 'improvement' | 'note';
  text: string;
  confirmed?: number;
  first?: string;
  last?: string;
  run?: string;
}

/** In the order of the file, without entries that cannot be read. */
export function listedEntries(items: readonly MemoryItem[]): ListedEntry[] {
  return items.flatMap((item): ListedEntry[] => {
    if (item.kind === 'unreadable') return [];
    if (item.kind === 'note') return [{ id: item.id, kind: 'note', text: item.text }];
    const { runs: _, ...facts } = item.facts;
    return [{ ...facts, text: item.text }];
  });
}

const KIND_WIDTH = 'improvement'.length + 2;

export function renderMemory(entries: readonly ListedEntry[], colors: Colors): string {
  return entries
    .map(({ id, kind, text, confirmed, last, run }) => {
      const facts =
        confirmed === undefined ? 'written by a person' : `${confirmed} ${confirmed === 1 ? 'run' : 'runs'}, last ${last}, first in ${run}`;
      return `${colors.bold(id)}  ${colors.dim(pad(kind, KIND_WIDTH))}${oneLine(text)}  ${colors.dim(oneLine(facts))}\n`;
    })
    .join('');
}
