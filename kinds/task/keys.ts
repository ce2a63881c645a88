import type { KeyRow, KindRow } from '../../compiler/language/row';
import { CLAIM_ROWS } from '../../compiler/language/shared-rows';
import { SUBJECT_CHARACTERS } from '../../plan/board/task';

/** A task is given to a team that runs by itself. `description`, `priority` and `worktree` are the task's, and not the step's. */
const ROWS = [
  {
    key: 'team',
    type: { kind: 'text' },
    required: 'add `team:` with the name of the team that gets the task',
    meaning: 'The team that gets the task. Its run has the id `team-NAME`, and must be there.',
    example: 'maintainers',
  },
  {
    key: 'subject',
    type: { kind: 'template' },
    required: 'add `subject:`, the task in a line',
    meaning: `The task in one line, at most ${SUBJECT_CHARACTERS} characters.`,
    example: `Look into \${draft.title}`,
  },
  {
    key: 'description',
    type: { kind: 'template' },
    default: 'the subject alone',
    meaning: 'What is to be done, at most 64 KiB. The member that claims the task reads it.',
    example: `Read \${draft.title}, and say what is missing.`,
  },
  {
    key: 'name',
    type: { kind: 'template' },
    default: 'none: the task has only its number',
    meaning: 'What others call the task, unique on the board and no number.',
    example: `triage-\${draft.title}`,
  },
  {
    key: 'blocked_by',
    type: { kind: 'list', of: { kind: 'template' }, alone: true },
    default: 'none',
    meaning: 'The tasks of the team’s board that must be done before, each by its name or its number.',
    example: `["7", "triage-\${draft.title}"]`,
  },
  ...CLAIM_ROWS,
  {
    key: 'worktree',
    type: { kind: 'boolean' },
    default: 'as the board of the team says',
    meaning: 'Whether the task is done in a git worktree of its own. A team whose board makes none refuses it.',
    example: 'true',
  },
  {
    key: 'wait',
    type: { kind: 'boolean' },
    default: '`true`',
    meaning: 'Whether the step waits until the task is done. If not, it ends as soon as the team has taken the task.',
    example: 'false',
  },
] as const satisfies readonly KeyRow[];

export const TASK_KIND = {
  types: ['task'],
  meaning: 'A task is given to a team that runs by itself.',
  output: '`{id, status, owner, result, attempts}`; `{id}` with `wait: false`',
  rows: ROWS,
  plainBy: ['team'],
  example: `# needs: step draft
- id: look
  team: maintainers
  subject: Look into \${draft.title}
  required_role: coder
  timeout: 8h`,
} as const satisfies KindRow;
