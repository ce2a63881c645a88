import { defined, unlessEmpty } from '../../plan/defined';
import type { MemorySpec } from '../../plan/memory/recall';
import type { Located } from '../diagnostics/diagnostic';
import type { MEMORY_ROWS } from '../language/mappings/memory';
import type { SourceOf } from './source-of';

/** What agents are given of a memory file. */
export interface MemorySource extends Omit<MemorySpec, 'file'> {
  file: Located<string>;
}

/** `memory: team.md`, or a mapping, of the file or of an agent. */
export function memoryOf(written: Located<string> | SourceOf<typeof MEMORY_ROWS> | undefined): MemorySource | undefined {
  if (!written || !('node' in written)) return written && { file: written };
  const { file, maxBytes, order = [] } = written;
  return file && { file, ...defined({ maxBytes, order: unlessEmpty(order) }) };
}
