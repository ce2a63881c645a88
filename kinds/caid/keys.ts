import { RANGES } from '../../compiler/language/ranges';
import { type KeyRow, type KindRow, TEXTS } from '../../compiler/language/row';
import { REPO_ROW } from '../../compiler/language/shared-rows';
import { DEFAULT_VERIFY, ISOLATIONS, MOST_ENGINEERS, TASK_TYPES, VERIFY_POLICIES } from './rules/team';

/** A manager divides work, engineers do it in worktrees of their own, and tested merges bring it together. */
const ROWS = [
  {
    key: 'prompt',
    type: { kind: 'template' },
    required: 'add `prompt:`, what is to be built',
    meaning: 'What is to be built: the manager divides it into tasks.',
    example: 'Implement what is stubbed in src/, so that all tests pass.',
  },
  REPO_ROW,
  {
    key: 'remote',
    type: { kind: 'text' },
    default: 'none: the branch of the repository itself moves',
    meaning: 'The name of a remote of that repository, whose branch then moves.',
    example: 'origin',
  },
  {
    key: 'into',
    type: { kind: 'branch' },
    required: 'add `into: main`, the branch that tested merges move',
    meaning: 'The branch that only tested merges move.',
    example: 'main',
  },
  {
    key: 'base',
    type: { kind: 'text' },
    default: 'the branch of `into`',
    meaning: 'The commit that the manager begins from; commits that it has and `into` lacks land with the manager’s own commit.',
    example: 'main',
  },
  {
    key: 'manager',
    type: { kind: 'agent' },
    required: 'add `manager:`, the agent that divides the work',
    meaning: 'The agent that prepares the repository, divides the work, and reviews it at the end.',
    example: 'writer',
  },
  {
    key: 'engineers',
    type: { kind: 'either', of: [{ kind: 'agent' }, { kind: 'mapping', name: 'engineers' }] },
    required: 'add `engineers: {agent: …, max: 4}`, the agent that does the tasks',
    takes: 'an agent, or a mapping such as {agent: engineer, max: 4}',
    meaning: 'The agent that does the tasks, and how many of them work at once at most.',
    example: '{ agent: writer, max: 4 }',
  },
  {
    key: 'task_type',
    type: { kind: 'word', words: TASK_TYPES },
    default: '`general`',
    meaning:
      'How many engineers there are if `max` does not say so (`paperbench` 2, `commit0` 4, `general` 3), and how the manager finds the tasks: from imports and tests (`commit0`), or from the main contribution of a paper (`paperbench`).',
    example: 'commit0',
  },
  {
    key: 'setup',
    type: { kind: 'list', of: { kind: 'template' } },
    takes: 'a list of commands',
    meaning: 'Commands that prepare each worktree, the manager’s first, and each merged tree before its tests.',
    example: '[npm ci]',
  },
  {
    key: 'copy',
    type: TEXTS,
    meaning: 'Files and folders that git ignores and the worktrees need, copied from the repository’s folder.',
    example: '[.env]',
  },
  {
    key: 'test',
    type: { kind: 'either', of: [{ kind: 'text' }, { kind: 'mapping', name: 'team-tests' }] },
    takes: 'a command, or a mapping such as {each: npm run lint, end: npm test}',
    meaning: 'A shell command that must succeed in each merged tree and at the end, or `{each, end}` if the two differ.',
    example: 'npm test',
  },
  {
    key: 'restricted',
    type: TEXTS,
    default: 'entry files, lockfiles, configuration and constants, unless a task owns them',
    meaning: 'Paths that no engineer may change, as patterns, in addition to the default set.',
    example: '[src/index.ts]',
  },
  {
    key: 'verify',
    type: { kind: 'word', words: VERIFY_POLICIES },
    default: `\`${DEFAULT_VERIFY}\``,
    meaning:
      'Who says that a candidate is good: its engineer and then the tests of the merged tree (`self`, or `gate`), before these tests also the manager (`manager`) or a person (`human`); or its engineer alone, if the merged tree is the one that the engineer has tested (`efficient`).',
    example: 'self',
  },
  {
    key: 'limits',
    type: { kind: 'mapping', name: 'team-limits' },
    default: '{ rounds: 22, returns: 3 }',
    meaning: 'After how much the step ends with work that is not done.',
    example: '{ rounds: 22 }',
  },
  {
    key: 'isolation',
    type: { kind: 'word', words: ISOLATIONS },
    default: '`worktree`',
    meaning:
      'What keeps engineers apart. With `worktree`, each task has a worktree of its own. The others exist for comparison: with `shared`, engineers work in one checkout at the same time and are only asked to keep apart; with `single`, there is one engineer.',
    example: 'worktree',
  },
] as const satisfies readonly KeyRow[];

/** Mappings within its keys. */
const ENGINEERS_ROWS = [
  { key: 'agent', type: { kind: 'agent' }, required: 'add `agent:`', meaning: 'The agent.', example: 'writer' },
  {
    key: 'max',
    type: { kind: 'integer', min: 1, max: MOST_ENGINEERS },
    default: 'by `task_type`',
    meaning: `How many engineers work at once, at most ${MOST_ENGINEERS}.`,
    example: '4',
  },
] as const satisfies readonly KeyRow[];

const TEAM_TESTS_ROWS = [
  {
    key: 'each',
    type: { kind: 'text' },
    default: 'the acceptance commands of all tasks that are merged, and of the candidate',
    meaning: 'The command that must succeed in each merged tree.',
    example: 'npm run lint',
  },
  { key: 'end', type: { kind: 'text' }, meaning: 'The command that must succeed at the end.', example: 'npm test' },
] as const satisfies readonly KeyRow[];

const TEAM_LIMITS_ROWS = [
  {
    key: 'rounds',
    type: { kind: 'integer', min: 1, max: 1000 },
    default: '22',
    meaning: 'How many assignments one engineer gets at most; the others go on.',
    example: '22',
  },
  {
    key: 'rounds_per_engineer',
    type: { kind: 'integer', min: 1, max: 1000 },
    default: 'none',
    meaning: 'The same as `rounds`; the smaller number counts. The paper’s own runs use 2.',
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

export const CAID_KIND = {
  types: ['caid'],
  meaning:
    'A manager divides work among engineers, whose commits land by tested merges. `timeout` is for the whole team, from start to end.',
  output: '`{status, base, head, tasks, engineers, restricted, warnings, changes, returned}`',
  rows: ROWS,
  mappings: {
    engineers: { title: '`engineers` of a caid step', rows: ENGINEERS_ROWS },
    'team-tests': { title: '`test` of a caid step', rows: TEAM_TESTS_ROWS },
    'team-limits': { title: '`limits` of a caid step', what: '"limits" of a caid step', such: '{rounds: 22}', rows: TEAM_LIMITS_ROWS },
  },
  plainBy: [],
  example: `# needs: agents writer, editor
- id: build
  type: caid
  prompt: Implement what is stubbed in src/.
  into: main
  manager: editor
  engineers: { agent: writer, max: 4 }
  test: npm test`,
} as const satisfies KindRow;
