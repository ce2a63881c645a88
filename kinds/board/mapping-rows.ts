import { type KeyRow, TEXTS } from '../../compiler/language/row';
import { CLAIM_ROWS, STRATEGY_ROWS } from '../../compiler/language/shared-rows';
import { SUBJECT_CHARACTERS } from '../../plan/board/task';

/** The keys of the mappings of a board step. */

export const LEAD_ROWS = [
  { key: 'agent', type: { kind: 'agent' }, required: 'add `agent:`, the agent that leads', meaning: 'The agent.', example: 'chief' },
  {
    key: 'prompt',
    type: { kind: 'template' },
    default: 'none: it begins when it gets a message',
    meaning: 'The first instructions of the lead.',
    example: 'Create 3 tasks on the board, then spawn alice and bob.',
  },
] as const satisfies readonly KeyRow[];

export const MEMBER_ROWS = [
  {
    key: 'name',
    type: { kind: 'text' },
    required: 'add `name:`, such as `name: alice`',
    meaning: 'What the others call the member: up to 40 letters, digits, `.`, `_` and `-`. `lead` is the lead.',
    example: 'alice',
  },
  {
    key: 'agent',
    type: { kind: 'agent' },
    required: 'add `agent:`, the agent that the member runs as',
    meaning: 'The agent that the member runs as. Several members may run as one.',
    example: 'writer',
  },
  {
    key: 'role',
    type: { kind: 'text' },
    default: 'none: it claims only tasks without `required_role`',
    meaning: 'Its role in the team: it may claim tasks that require it.',
    example: 'coder',
  },
  {
    key: 'prompt',
    type: { kind: 'template' },
    default: 'none: it begins with the board',
    meaning: 'The first instructions of the member. It follows them before it looks at the board.',
    example: 'Read the README first.',
  },
] as const satisfies readonly KeyRow[];

export const TASK_ROWS = [
  {
    key: 'subject',
    type: { kind: 'text' },
    required: 'add `subject:`, the task in a line',
    meaning: `The task in one line, at most ${SUBJECT_CHARACTERS} characters.`,
    example: 'Write the parser',
  },
  {
    key: 'name',
    type: { kind: 'text' },
    default: 'none: the task has only its number',
    meaning: 'What others call the task, unique on the board and no number. The board gives each task a number as well.',
    example: 'parser',
  },
  {
    key: 'description',
    type: { kind: 'template' },
    default: 'the subject alone',
    meaning: 'What is to be done. The member that claims the task reads it.',
    example: `Parse what \${draft.title} describes.`,
  },
  {
    key: 'blocked_by',
    type: TEXTS,
    default: 'none',
    meaning: 'The tasks that must be done before, by their names, or by their numbers in quotes; the first of the list is `"1"`.',
    example: '[lexer]',
  },
  ...CLAIM_ROWS,
  {
    key: 'worktree',
    type: { kind: 'either', of: [{ kind: 'boolean' }, { kind: 'text' }] },
    takes: 'true, false, or what the worktree is called',
    default: 'as the `worktree` of the step says',
    meaning:
      'Whether the task has a worktree of its own, and what `thermidor worktree list` calls it: 1 to 40 letters, digits, `.`, `_` or `-`.',
    example: 'parser',
  },
] as const satisfies readonly KeyRow[];

export const MERGE_ROWS = [
  {
    key: 'into',
    type: { kind: 'branch' },
    required: 'add `into: main`, the branch that tested merges move',
    meaning: 'The branch in which the work lands. Worktrees begin from it, unless their `base` says otherwise.',
    example: 'main',
  },
  {
    key: 'test',
    type: { kind: 'text' },
    default: 'the queue’s own test alone',
    meaning: 'A shell command that must pass in each merged tree, next to the queue’s own test.',
    example: 'npm test',
  },
  ...STRATEGY_ROWS,
] as const satisfies readonly KeyRow[];
