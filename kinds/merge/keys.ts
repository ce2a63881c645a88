import type { KeyRow, KindRow } from '../../compiler/language/row';
import { STRATEGY_ROWS } from '../../compiler/language/shared-rows';

/** Commits of worktrees become part of a branch. */
const ROWS = [
  {
    key: 'from',
    type: { kind: 'list', of: { kind: 'step' }, alone: true, filled: true },
    required: 'name the steps whose worktrees are merged: `from: [build]`',
    empty: { why: '"from" is an empty list', hint: 'name a step with a worktree' },
    meaning:
      'Steps with a worktree. Each worktree is a candidate of its own; if the step is within a `for_each`, the worktree of each item is.',
    example: '[draft]',
  },
  {
    key: 'into',
    type: { kind: 'template' },
    required: 'name the branch: `into: main`',
    meaning: 'The branch of the worktrees’ repository, or of its remote if they are made with `remote`.',
    example: 'main',
  },
  {
    key: 'test',
    type: { kind: 'text' },
    default: 'the queue’s own test alone',
    meaning:
      'A shell command that must pass in the merged tree in addition to the queue’s own test. The command runs as it is written, without expressions.',
    example: 'npm run lint',
  },
  ...STRATEGY_ROWS,
  {
    key: 'on_conflict',
    type: { kind: 'actions', key: 'on_conflict' },
    default: '`return_to_author`, three times at most; then the step fails with `merge.returned`',
    meaning: 'What happens when a candidate comes back: with a conflict, a red test, or a restricted path.',
    example: '[return_to_author, escalate(human)]',
  },
  {
    key: 'cleanup',
    type: { kind: 'boolean' },
    default: 'the worktrees are removed when the run ends',
    meaning: 'Removes the worktrees as soon as all candidates have landed.',
    example: 'true',
  },
] as const satisfies readonly KeyRow[];

export const MERGE_KIND = {
  types: ['merge'],
  meaning: 'Lands what steps have left in their worktrees, through the merge queue of their repository.',
  output: '`{merged: [{step, commit, result, already}], returned: [{step, kind, reason}], head}`',
  rows: ROWS,
  plainBy: [],
  example: `# needs: agent writer
- id: build
  agent: writer
  worktree: true
- id: land
  type: merge
  from: [build]
  into: main
  test: npm test
  on_conflict: [return_to_author, escalate(human)]`,
} as const satisfies KindRow;
