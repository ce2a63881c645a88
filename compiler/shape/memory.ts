import { MEMORY_ORDERS } from '../../plan/memory/recall';
import type { Report } from '../diagnostics/diagnostic';
import { RANGES } from '../language/ranges';
import { type Entry, entryOf } from '../read/node';
import { checkKeys, requireKey } from './keys';
import type { MemorySource } from './source';
import { integerOf, mappingOf, sequenceOf, textOf, wordOf } from './values';
import { keysOf } from './vocabulary';

/** Reads `memory: team.md`, or a mapping, of the file or of an agent. */
export function readMemory(entry: Entry, report: Report): MemorySource | undefined {
  if (entry.value.kind === 'scalar') {
    const file = textOf(entry, report);
    return file && { file };
  }
  const node = mappingOf(entry, report, 'a path, or a mapping such as {file: team.md, max_bytes: 16384}');
  if (!node) return undefined;
  checkKeys(node, { what: '"memory"', known: keysOf('memory') }, report);
  requireKey(node, 'file', '"memory"', report, 'add `file: team.md`');
  const [path, most, order] = ['file', 'max_bytes', 'order'].map((key) => entryOf(node, key));
  const file = path && textOf(path, report);
  const maxBytes = most && integerOf(most, RANGES.memoryBytes.min, RANGES.memoryBytes.max, report);
  const words = order && wordsOf(order, report);
  if (!file) return undefined;
  return { file, ...(maxBytes === undefined ? {} : { maxBytes }), ...(words && words.length > 0 ? { order: words } : {}) };
}

function wordsOf(entry: Entry, report: Report): NonNullable<MemorySource['order']> {
  const { value } = entry;
  const items = value.kind === 'scalar' ? [value] : sequenceOf(entry, report, 'a list such as [confirmed, newest]')?.items;
  if (items?.length === 0)
    report('shape.out-of-range', value.at, '"order" is empty', `name one of ${MEMORY_ORDERS.join(', ')}, or remove the key`);
  return items?.flatMap((item) => wordOf({ ...entry, value: item }, MEMORY_ORDERS, report)?.value ?? []) ?? [];
}
