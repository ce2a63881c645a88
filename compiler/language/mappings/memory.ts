import { MEMORY_ORDERS } from '../../../plan/memory/recall';
import { RANGES } from '../ranges';
import type { KeyRow } from '../row';

/** `memory`, a key of the file and of agents. */
export const MEMORY_ROWS = [
  {
    key: 'file',
    type: { kind: 'path' },
    required: 'add `file: team.md`',
    meaning: 'The Markdown file, relative to the worker’s folder. While it does not exist, agents get nothing.',
    example: 'team.md',
  },
  {
    key: 'max_bytes',
    type: { kind: 'integer', ...RANGES.memoryBytes },
    default: '`16384`',
    meaning: 'How much of the memory an agent is given.',
    example: '16384',
  },
  {
    key: 'order',
    type: { kind: 'list', of: { kind: 'word', words: MEMORY_ORDERS }, alone: true, filled: true },
    takes: 'a list such as [confirmed, newest]',
    empty: { why: '"order" is empty', hint: `name one of ${MEMORY_ORDERS.join(', ')}, or remove the key` },
    default: '`[confirmed, newest]`',
    meaning: 'What comes first, after what people have written into the file: what most runs have confirmed, or what is newest.',
    example: '[newest]',
  },
] as const satisfies readonly KeyRow[];
