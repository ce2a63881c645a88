import { defined } from '../../plan/defined';
import type { Report } from '../diagnostics/diagnostic';
import type { Entry } from '../read/node';
import { readMapping } from './read-rows';
import type { MemorySource } from './source';
import { textOf } from './values';

/** Reads `memory: team.md`, or a mapping, of the file or of an agent. */
export function readMemory(entry: Entry, report: Report): MemorySource | undefined {
  if (entry.value.kind === 'scalar') {
    const file = textOf(entry, report);
    return file && { file };
  }
  const takes = 'a path, or a mapping such as {file: team.md, max_bytes: 16384}';
  const { file, maxBytes, order = [] } = readMapping(entry, 'memory', { report }, { takes }) ?? {};
  return file && { file, ...defined({ maxBytes, order: order.length > 0 ? order : undefined }) };
}
