import { LEVEL_TIMEOUTS } from '../../../kinds/escalate/rules/issue';
import { LEVELS, TASK_TYPES } from '../../../plan/patterns/select';
import { RANGES } from '../ranges';
import type { KeyRow } from '../row';

/** Mappings of collaboration patterns. */
export const PROPOSAL_ROWS = [
  { key: 'title', type: { kind: 'template' }, required: true, meaning: 'What is decided, in one line.', example: 'Which database?' },
  { key: 'context', type: { kind: 'data' }, meaning: 'What voters have to know.', example: '$draft' },
  {
    key: 'options',
    type: { kind: 'list', of: { kind: 'mapping', name: 'proposal-option' } },
    default: 'none: voters approve or reject',
    meaning: 'Two or more to choose among: an approval names one.',
    example: '[{ id: A, description: Keep it }, { id: B, description: Replace it }]',
  },
] as const satisfies readonly KeyRow[];

export const PROPOSAL_OPTION_ROWS = [
  { key: 'id', type: { kind: 'variable' }, required: true, meaning: 'What voters answer with.', example: 'A' },
  { key: 'description', type: { kind: 'template' }, meaning: 'What it is.', example: 'Keep it' },
  { key: 'pros', type: { kind: 'list', of: { kind: 'template' }, alone: true }, meaning: 'What speaks for it.', example: '[no work]' },
  { key: 'cons', type: { kind: 'list', of: { kind: 'template' }, alone: true }, meaning: 'What speaks against it.', example: '[slow]' },
] as const satisfies readonly KeyRow[];

export const VOTE_BEHIND_ROWS = [
  {
    key: 'consensus',
    type: { kind: 'mapping', name: 'vote-keys' },
    required: true,
    meaning: 'Who votes, and how.',
    example: '{ voters: [writer, editor], revise_by: writer }',
  },
] as const satisfies readonly KeyRow[];

/** As a consensus step has them. */
export const VOTE_KEY_ROWS = [
  {
    key: 'voters',
    type: { kind: 'list', of: { kind: 'member' }, alone: true, filled: true },
    required: true,
    meaning: 'Who votes: agents, and people as `person("cfo")`.',
    example: '[writer, editor]',
  },
  { key: 'threshold', type: { kind: 'share' }, default: '`2/3`', meaning: 'How many must approve.', example: '2/3' },
  { key: 'rounds', type: { kind: 'integer', ...RANGES.voteRounds }, default: '`2`', meaning: 'How often they vote at most.', example: '1' },
  { key: 'timeout', type: { kind: 'duration' }, default: '`5m`', meaning: 'How long a vote stays open.', example: '10m' },
  {
    key: 'revise_by',
    type: { kind: 'agent' },
    default: 'the owner',
    meaning: 'The agent that revises what has not passed, with all objections.',
    example: 'writer',
  },
  {
    key: 'on_fail',
    type: { kind: 'actions', key: 'on_fail' },
    default: '`escalate(human)`',
    meaning: 'What happens when the last round has not passed.',
    example: 'continue',
  },
] as const satisfies readonly KeyRow[];

export const SELECT_ROWS = [
  { key: 'task_type', type: { kind: 'word', words: TASK_TYPES }, required: true, meaning: 'What kind of task it is.', example: 'fix' },
  { key: 'complexity', type: { kind: 'word', words: LEVELS }, required: true, meaning: 'How complex it is.', example: 'medium' },
  { key: 'risk', type: { kind: 'word', words: LEVELS }, required: true, meaning: 'What a mistake would cost.', example: 'low' },
  { key: 'team_size', type: { kind: 'integer', ...RANGES.teamSize }, required: true, meaning: 'How many agents there are.', example: '3' },
  {
    key: 'has_expert',
    type: { kind: 'boolean' },
    required: true,
    meaning: 'Whether there is an expert who knows the field better than the team.',
    example: 'false',
  },
] as const satisfies readonly KeyRow[];

export const ROLE_ROWS = [
  { key: 'coordinator', type: { kind: 'agent' }, required: true, meaning: 'Judges the plan.', example: 'chief' },
  { key: 'planner', type: { kind: 'agent' }, required: true, meaning: 'Plans, and revises the plan.', example: 'writer' },
  { key: 'executor', type: { kind: 'agent' }, required: true, meaning: 'Carries the plan out.', example: 'writer' },
  { key: 'tester', type: { kind: 'agent' }, required: true, meaning: 'Judges the work.', example: 'editor' },
  {
    key: 'expert',
    type: { kind: 'agent' },
    meaning: 'Advises before the plan is made; needed where `has_expert` is true.',
    example: 'editor',
  },
] as const satisfies readonly KeyRow[];

export const ALL_ABSTAIN_ROWS = [
  {
    key: 'by',
    type: { kind: 'member' },
    required: true,
    meaning: 'An agent, or a person as `person("cfo")`. The record says that it was their decision.',
    example: 'editor',
  },
] as const satisfies readonly KeyRow[];

export const ESCALATE_LEVEL_ROWS = [
  { key: 'agent', type: { kind: 'agent' }, meaning: 'The agent that is asked.', example: 'editor' },
  {
    key: 'human',
    type: { kind: 'text' },
    insteadOf: 'agent',
    meaning: 'The person to ask: a name, a group, or the approvers of a channel. Allowed only as the last level.',
    example: '"#desk"',
  },
  {
    key: 'attempts',
    type: { kind: 'integer', ...RANGES.levelAttempts },
    default: '`2` on the first level, else `1`',
    meaning: 'How often it is asked before the issue goes up.',
    example: '2',
  },
  {
    key: 'timeout',
    type: { kind: 'duration' },
    default: 'none: the step waits',
    meaning: 'How long the person is waited for.',
    example: '24h',
  },
  {
    key: 'on_timeout',
    type: { kind: 'word', words: LEVEL_TIMEOUTS },
    default: '`workaround`',
    meaning: 'What their silence means: the first agent takes the most conservative option, or the step fails.',
    example: 'stop',
  },
] as const satisfies readonly KeyRow[];

export const VERIFY_ROWS = [
  { key: 'run', type: { kind: 'template' }, required: true, meaning: 'A command of the shell.', example: 'npm test' },
  {
    key: 'tests',
    type: { kind: 'mapping', name: 'tests' },
    default: 'it has passed where it succeeds',
    meaning:
      'Where its tests report: it has passed where none fails, and a fix with which others fail than before is known to have broken something.',
    example: '{ format: junit, file: results.xml }',
  },
] as const satisfies readonly KeyRow[];

export const SOLVED_WHEN_ROWS = [
  { key: 'run', type: { kind: 'template' }, required: true, meaning: 'A command of the shell.', example: 'npm test' },
] as const satisfies readonly KeyRow[];
export const INCREMENT_GATES_ROWS = [
  {
    key: 'syntax_clean',
    type: { kind: 'template' },
    meaning: 'It fails where what was written does not even read. Then the gates behind it are not asked.',
    example: 'npx tsc --noEmit',
  },
  {
    key: 'no_regression',
    type: { kind: 'template' },
    meaning: 'Fails when something that worked before is broken. The attempt is rolled back, and the increment begins again.',
    example: 'npm test',
  },
  {
    key: 'increment_tests_pass',
    type: { kind: 'template' },
    meaning: 'It fails where the increment’s own tests do. The validator says what is wrong, and the executor puts it right.',
    example: `npm test -- \${increment.id}`,
  },
] as const satisfies readonly KeyRow[];
