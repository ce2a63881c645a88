import type { KeyRow } from '../../compiler/language/row';
import { OCCASIONS } from './rules/spec';

/** `post_mortem`, a key of the file. */
export const POST_MORTEM_ROWS = [
  {
    key: 'when',
    type: { kind: 'word', words: OCCASIONS },
    default: '`always`',
    meaning:
      '`notable`: agents are asked only after a run with failures, escalations or work that came back. `asked`: only if a person asks for it, with `thermidor run --post-mortem` or `thermidor post-mortem RUN`.',
    example: 'notable',
  },
  {
    key: 'by',
    type: { kind: 'list', of: { kind: 'agent' }, alone: true },
    default: 'all agents that had work in the run, at most 16',
    meaning: 'Who is asked for a retrospective. If an agent gives none, the journal takes its place.',
    example: '[writer, editor]',
  },
  {
    key: 'timeout',
    type: { kind: 'duration' },
    default: '`3m`',
    meaning: 'How long the step waits for the retrospectives, which are asked for side by side.',
    example: '3m',
  },
  {
    key: 'write',
    type: { kind: 'path' },
    default: 'the report is only an artifact',
    meaning:
      'A file for the report, as JSON; the next run replaces it. Like `memory` and `guidelines`, the path is relative to the worker’s folder.',
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
    default: 'improvements are only in the report',
    meaning: 'A Markdown file that improvements are added to.',
    example: 'docs/guidelines.md',
  },
] as const satisfies readonly KeyRow[];
