import { RANGES } from '../../compiler/language/ranges';
import type { KeyRow, KindRow } from '../../compiler/language/row';
import { WORKTREE_ROWS } from '../../compiler/language/shared-rows';

/** A plan is delivered in increments. */
const ROWS = [
  {
    key: 'plan',
    type: { kind: 'form' },
    required: 'add `plan: $plan.tasks`, what is delivered',
    meaning:
      'The tasks: each has `id`, `title`, `depends_on` and anything else that the executor needs to know. An increment is one layer of them.',
    example: '$draft.tasks',
  },
  {
    key: 'executor',
    type: { kind: 'agent' },
    required: 'add `executor:`, the agent that does the tasks',
    meaning: 'The agent that does the tasks of an increment, in the step’s worktree.',
    example: 'writer',
  },
  {
    key: 'validator',
    type: { kind: 'agent' },
    default: 'the gates alone',
    meaning: 'The agent that judges an increment whose gates pass, and that finds out why an increment’s own tests fail.',
    example: 'editor',
  },
  {
    key: 'gates',
    type: { kind: 'mapping', name: 'increment-gates' },
    default: 'the validator alone',
    meaning:
      'Commands that must succeed before the next increment begins. They read the increment as `increment`: its `id`, `number`, `attempt` and `tasks`.',
    example: '{ syntax_clean: npx tsc --noEmit, no_regression: npm test }',
  },
  {
    key: 'fixes',
    type: { kind: 'integer', ...RANGES.fixes },
    default: '`3`',
    meaning: 'How often an increment that does not pass is corrected after the first attempt, before it is rolled back and blocked.',
    example: '3',
  },
  {
    key: 'task_timeout',
    type: { kind: 'duration' },
    default: '`20m`',
    meaning: 'How long the executor may take for each task of the increment, and the validator for all of it.',
    example: '20m',
  },
  ...WORKTREE_ROWS.map((row) => ({ ...row, default: '`true`: the step always has one' })),
  {
    key: 'final',
    type: { kind: 'template' },
    default: 'no validation of the whole',
    meaning: 'A command that validates the whole at the end. If it fails, increments are reverted one by one until it passes.',
    example: 'npm test',
  },
  {
    key: 'blocked_share',
    type: { kind: 'share' },
    default: '`1/2`',
    meaning: 'How many increments may be blocked or reverted before the step stops and begins no others: a share of all, or a count.',
    example: '1/2',
  },
  {
    key: 'on_blocked',
    type: { kind: 'actions', key: 'on_blocked' },
    default: '`escalate(human)`, with what is delivered and what is not',
    meaning:
      'What happens when not everything is delivered: an increment is blocked or reverted, or a task could not be done. To approve is to accept what is delivered; to ask for a revision is to have the rest tried again.',
    example: 'escalate(human)',
  },
] as const satisfies readonly KeyRow[];

/** Mappings within its keys. */
const INCREMENT_GATES_ROWS = [
  {
    key: 'syntax_clean',
    type: { kind: 'template' },
    meaning: 'Fails when the code cannot even be parsed. The gates after it then do not run.',
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
    meaning: 'Fails when the increment’s own tests fail. The validator says what is wrong, and the executor corrects it.',
    example: `npm test -- \${increment.id}`,
  },
] as const satisfies readonly KeyRow[];

export const INCREMENTS_KIND = {
  types: ['increments'],
  meaning:
    'A plan is delivered in increments, each checked before the next begins, all in one worktree. `timeout` is how long a gate, and the validation of the whole, may take, `30m` by default.',
  output: '`{outcome, total_increments, completed, progress_percent, gate_history, base, commit, kept, lost, left_out, broken_by}`',
  rows: ROWS,
  mappings: {
    'increment-gates': { title: '`gates`', such: '{no_regression: npm test}', rows: INCREMENT_GATES_ROWS },
  },
  plainBy: ['gates', 'executor'],
  example: `# needs: agents writer, editor
- id: deliver
  type: increments
  plan:
    - { id: api, title: The API }
    - { id: pages, title: The pages, depends_on: [api] }
  executor: writer
  validator: editor
  gates:
    syntax_clean: npx tsc --noEmit
    no_regression: npm test
    increment_tests_pass: npm test -- \${increment.id}
  fixes: 3
  task_timeout: 20m
  worktree: true
  final: npm test
  blocked_share: 1/2`,
} as const satisfies KindRow;
