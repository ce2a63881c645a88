import type { KeyRow, KindRow } from '../../compiler/language/row';
import { WORKTREE_ROWS } from '../../compiler/language/shared-rows';
import { LEVEL_TIMEOUTS } from './rules/issue';

/** Raises an issue level by level until one of them solves it. */
const ROWS = [
  {
    key: 'issue',
    type: { kind: 'form' },
    default: 'what an action `escalate(id)` passes on',
    meaning: 'What is to be solved. If it is empty, there is nothing to do and the step is skipped.',
    example: '$draft.error',
  },
  {
    key: 'levels',
    type: {
      kind: 'list',
      of: {
        kind: 'either',
        of: [{ kind: 'member' }, { kind: 'mapping', name: 'escalate-level' }],
      },
      filled: true,
    },
    own: true,
    required: 'add `levels: [executor, specialist, human]`',
    meaning: 'Who is asked, from L0 on: agents, and at the end a person, who is asked even if none is listed.',
    example: '[{ agent: writer, attempts: 2 }, editor, { human: "#desk", timeout: 24h }]',
  },
  {
    key: 'solved_when',
    type: { kind: 'mapping', name: 'solved-when' },
    default: 'the issue is solved if the level’s answer says `solved`',
    meaning: 'A command that must succeed before an issue counts as solved.',
    example: '{ run: npm test }',
  },
  {
    key: 'on_root_cause',
    type: { kind: 'actions', key: 'on_root_cause' },
    default: 'the issue goes further up',
    meaning: 'What happens when a level finds that the plan itself is wrong.',
    example: 'retry(draft)',
  },
  {
    key: 'remember',
    type: { kind: 'boolean' },
    default: '`true`',
    meaning: 'Whether a solution of L1 becomes a pattern for L0, which is kept in `.pattern` and, for the post-mortem, in the journal.',
    example: 'false',
  },
  ...WORKTREE_ROWS,
] as const satisfies readonly KeyRow[];

/** Mappings within its keys. */
const ESCALATE_LEVEL_ROWS = [
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
    type: { kind: 'integer', min: 1, max: 20 },
    default: '`2` on the first level, else `1`',
    meaning: 'How often this level is asked before the issue goes up.',
    example: '2',
  },
  {
    key: 'timeout',
    type: { kind: 'duration' },
    default: 'none: the step waits',
    meaning: 'How long the step waits for the person.',
    example: '24h',
  },
  {
    key: 'on_timeout',
    type: { kind: 'word', words: LEVEL_TIMEOUTS },
    requires: { keys: ['timeout'], hint: 'add `timeout: 24h`' },
    default: '`workaround`',
    meaning: 'What the person’s silence means: the first agent takes the most conservative option, or the step fails.',
    example: 'stop',
  },
] as const satisfies readonly KeyRow[];

const SOLVED_WHEN_ROWS = [
  {
    key: 'run',
    type: { kind: 'template' },
    required: 'add `run:`, a command that succeeds once the issue is solved',
    meaning: 'A shell command.',
    example: 'npm test',
  },
] as const satisfies readonly KeyRow[];

export const ESCALATE_KIND = {
  types: ['escalate'],
  meaning:
    'Raises an issue level by level until one of them solves it. If an action `escalate(id)` calls the step, it runs only then. `timeout` limits one attempt of an agent.',
  output: '`{outcome, issue, task, level, by, solution, root_cause, marked, pattern, diagnosis_chain}`',
  rows: ROWS,
  mappings: {
    'escalate-level': { title: 'a level of an escalate step', what: 'a level of an escalate step', rows: ESCALATE_LEVEL_ROWS },
    'solved-when': { title: '`solved_when`', such: '{run: npm test}', rows: SOLVED_WHEN_ROWS },
  },
  plainBy: ['levels'],
  example: `# needs: agents writer, editor, owner_agent
- { id: build, run: npm test, on_error: escalate(rescue) }
- id: rescue
  type: escalate
  levels:
    - { agent: writer, attempts: 2 }
    - editor
    - owner_agent
    - { human: "#desk", timeout: 24h, on_timeout: workaround }
  solved_when: { run: npm test }`,
} as const satisfies KindRow;
