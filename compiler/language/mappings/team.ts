import { MOST_ENGINEERS } from '../../../kinds/caid/rules/team';
import { RANGES } from '../ranges';
import type { KeyRow } from '../row';

/** Mappings of a `caid` step. */
export const ENGINEERS_ROWS = [
  { key: 'agent', type: { kind: 'agent' }, required: true, meaning: 'The agent.', example: 'writer' },
  {
    key: 'max',
    type: { kind: 'integer', ...RANGES.engineers },
    default: 'by `task_type`',
    meaning: `How many are at work at once, at most ${MOST_ENGINEERS}.`,
    example: '4',
  },
] as const satisfies readonly KeyRow[];

export const TEAM_TESTS_ROWS = [
  {
    key: 'each',
    type: { kind: 'text' },
    default: 'the acceptance commands of all tasks that are merged, and of the candidate',
    meaning: 'Green in each merged tree.',
    example: 'npm run lint',
  },
  { key: 'end', type: { kind: 'text' }, meaning: 'Green in the end.', example: 'npm test' },
] as const satisfies readonly KeyRow[];

export const TEAM_LIMITS_ROWS = [
  {
    key: 'rounds',
    type: { kind: 'integer', ...RANGES.teamRounds },
    default: '22',
    meaning: 'Once an engineer has had so many assignments, it gets none any more; the others go on.',
    example: '22',
  },
  {
    key: 'rounds_per_engineer',
    type: { kind: 'integer', ...RANGES.teamRounds },
    default: 'none',
    meaning: 'The same; the smaller number counts. The paper’s own runs use 2.',
    example: '2',
  },
  {
    key: 'returns',
    type: { kind: 'integer', ...RANGES.rounds },
    default: '3',
    meaning: 'How often a task comes back to its author, then to one owner, before a person decides.',
    example: '3',
  },
] as const satisfies readonly KeyRow[];
