import type { KeyRow, KindRow } from '../../compiler/language/row';
import { BLOCKED_ACTIONS } from './model';
import { FACT_KEYS, LEVELS, TASK_TYPES } from './rules/select';

/** A task is planned, executed and validated by the patterns that fit it. The nodes of its own keys become parts of steps. */
const ROWS = [
  {
    key: 'task',
    type: { kind: 'data' },
    own: true,
    required: 'add `task:`, what is to be done',
    meaning: 'What is to be done.',
    example: '$draft',
  },
  {
    key: 'select',
    type: { kind: 'mapping', name: 'select' },
    own: true,
    required: `add \`select: {${FACT_KEYS.join(', ')}}\``,
    meaning: 'Facts about the task, by which [patterns are selected](patterns.md#which-pattern).',
    example: '{ task_type: fix, complexity: medium, risk: high, team_size: 3, has_expert: false }',
  },
  {
    key: 'roles',
    type: { kind: 'mapping', name: 'roles' },
    required: 'add `roles: {coordinator, planner, executor, tester}`',
    takes: 'a mapping of roles and agents',
    meaning: 'Who does what.',
    example: '{ coordinator: chief, planner: writer, executor: writer, tester: editor, expert: editor }',
  },
  {
    key: 'voters',
    type: { kind: 'list', of: { kind: 'member' }, alone: true, filled: true },
    takes: 'a list such as [architect, person("cfo")]',
    default: 'planner, executor and tester',
    meaning: 'Who votes on the plan if `risk` is `high`.',
    example: '[writer, editor, person("cfo")]',
  },
  {
    key: 'test',
    type: { kind: 'template' },
    own: true,
    default: 'the tester alone judges the work',
    meaning: 'The command that shows whether the work is done.',
    example: 'npm test',
  },
  {
    key: 'tests',
    type: { kind: 'mapping', name: 'tests' },
    default: '`test` must succeed',
    meaning:
      'How `test` reports its tests: 95 % of them must then pass. Work that is delivered in increments is tested without this report, so all of its tests must pass.',
    example: '{ format: tap }',
  },
  {
    key: 'into',
    type: { kind: 'branch' },
    default: 'the feature stays a commit, `<id>_impl.commit`',
    meaning: 'The branch in which a feature that is delivered in increments lands, by the [merge queue](merge-queue.md).',
    example: 'main',
  },
  {
    key: 'blocked_after',
    type: { kind: 'duration' },
    default: '`30m`',
    meaning:
      'How long a phase may take. A phase that is not done by then, or fails, is blocked. In a delivery, each increment has this time, and so has the validation of the whole.',
    example: '1h',
  },
  {
    key: 'on_blocked',
    type: { kind: 'word', words: BLOCKED_ACTIONS },
    default: '`escalate`',
    meaning: 'Who helps when a phase is blocked: an escalation from the executor up to a person, or a swarm of all, which needs a `test`.',
    example: 'escalate',
  },
] as const satisfies readonly KeyRow[];

/** Mappings within its keys. */
const SELECT_ROWS = [
  { key: 'task_type', type: { kind: 'word', words: TASK_TYPES }, required: true, meaning: 'What kind of task it is.', example: 'fix' },
  { key: 'complexity', type: { kind: 'word', words: LEVELS }, required: true, meaning: 'How complex it is.', example: 'medium' },
  { key: 'risk', type: { kind: 'word', words: LEVELS }, required: true, meaning: 'What a mistake would cost.', example: 'low' },
  { key: 'team_size', type: { kind: 'integer', min: 1, max: 1000 }, required: true, meaning: 'How many agents there are.', example: '3' },
  {
    key: 'has_expert',
    type: { kind: 'boolean' },
    required: true,
    meaning: 'Whether there is an expert who knows the field better than the team.',
    example: 'false',
  },
] as const satisfies readonly KeyRow[];

const ROLE_ROWS = [
  { key: 'coordinator', type: { kind: 'agent' }, required: 'add `coordinator: AGENT`', meaning: 'Judges the plan.', example: 'chief' },
  { key: 'planner', type: { kind: 'agent' }, required: 'add `planner: AGENT`', meaning: 'Plans, and revises the plan.', example: 'writer' },
  { key: 'executor', type: { kind: 'agent' }, required: 'add `executor: AGENT`', meaning: 'Carries the plan out.', example: 'writer' },
  { key: 'tester', type: { kind: 'agent' }, required: 'add `tester: AGENT`', meaning: 'Judges the work.', example: 'editor' },
  {
    key: 'expert',
    type: { kind: 'agent' },
    meaning: 'Advises before the plan is made; needed if `has_expert` is true.',
    example: 'editor',
  },
] as const satisfies readonly KeyRow[];

export const COORDINATE_KIND = {
  types: ['coordinate'],
  meaning: 'A task is planned, executed and validated by the patterns that its facts select.',
  output: '`{patterns, unrouted, <step>: its output}`',
  rows: ROWS,
  mappings: {
    select: { title: '`select` of a coordinate step', rows: SELECT_ROWS },
    roles: { title: '`roles` of a coordinate step', rows: ROLE_ROWS },
  },
  own: true,
  plainBy: ['select', 'roles'],
  yields: 1,
  example: `# needs: agents planner, writer, editor, owner_agent
- id: go
  type: coordinate
  task: Store passwords safely.
  select: { task_type: feature, complexity: medium, risk: high, team_size: 3, has_expert: false }
  roles: { coordinator: owner_agent, planner: planner, executor: writer, tester: editor }
  test: npm test`,
} as const satisfies KindRow;
