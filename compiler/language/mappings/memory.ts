import { OCCASIONS } from '../../../plan/memory/post-mortem-spec';
import { MEMORY_ORDERS } from '../../../plan/memory/recall';
import { RANGES } from '../ranges';
import type { KeyRow } from '../row';

/** `post_mortem`, a key of the file. */
export const POST_MORTEM_ROWS = [
  {
    key: 'when',
    type: { kind: 'word', words: OCCASIONS },
    default: '`always`',
    meaning:
      '`notable`: agents are asked only after a run with failures, escalations or work that came back. `asked`: only where a person asks for it, with `thermidor run --post-mortem` or `thermidor post-mortem RUN`.',
    example: 'notable',
  },
  {
    key: 'by',
    type: { kind: 'list', of: { kind: 'agent' }, alone: true },
    default: 'all agents that had work in the run, at most 16',
    meaning: 'Who is asked for a retrospective. For an agent that gives none the journal speaks.',
    example: '[writer, editor]',
  },
  {
    key: 'timeout',
    type: { kind: 'duration' },
    default: '`3m`',
    meaning: 'How long retrospectives are waited for, side by side.',
    example: '3m',
  },
  {
    key: 'write',
    type: { kind: 'path' },
    default: 'the report is an artifact alone',
    meaning: 'A file for the report, as JSON; the next run replaces it. Like `memory` and `guidelines` it counts from the worker’s folder.',
    example: 'post-mortem.json',
  },
  {
    key: 'memory',
    type: { kind: 'path' },
    default: 'the file of the pipeline’s `memory`',
    meaning: 'A Markdown file for what was learned: reusable patterns, and root causes as preventions.',
    example: 'team.md',
  },
  {
    key: 'guidelines',
    type: { kind: 'path' },
    default: 'improvements are in the report alone',
    meaning: 'A Markdown file that improvements are added to.',
    example: 'docs/guidelines.md',
  },
] as const satisfies readonly KeyRow[];

/** `memory`, a key of the file and of agents. */
export const MEMORY_ROWS = [
  {
    key: 'file',
    type: { kind: 'path' },
    required: true,
    meaning: 'The Markdown file, relative to the worker’s folder. While it does not exist, agents get nothing.',
    example: 'team.md',
  },
  {
    key: 'max_bytes',
    type: { kind: 'integer', ...RANGES.memoryBytes },
    default: '`16384`',
    meaning: 'How much of it an agent is given.',
    example: '16384',
  },
  {
    key: 'order',
    type: { kind: 'list', of: { kind: 'word', words: MEMORY_ORDERS }, alone: true, filled: true },
    default: '`[confirmed, newest]`',
    meaning: 'What comes first, after what people have written into the file: what most runs have confirmed, or what is newest.',
    example: '[newest]',
  },
] as const satisfies readonly KeyRow[];
