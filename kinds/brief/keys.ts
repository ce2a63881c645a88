import { BRIEF_ROLES_ROW, BRIEF_ROWS } from '../../compiler/language/mappings/brief';
import { BRIEF_BUDGET_ROWS } from '../../compiler/language/mappings/brief-budgets';
import { BRIEF_CLI_ROWS, BRIEF_ROLE_ROWS } from '../../compiler/language/mappings/brief-roles';
import type { KeyRow, KindRow } from '../../compiler/language/row';
import { WORKTREE_ROWS } from '../../compiler/language/shared-rows';

const ROWS = [
  {
    key: 'brief',
    type: { kind: 'either', of: [{ kind: 'text' }, { kind: 'mapping', name: 'brief' }] },
    own: true,
    required: 'add `brief:`, a file such as `briefs/site.md`',
    meaning: 'The brief: a Markdown file next to the pipeline, whose text is taken as it is, or its keys and sections here.',
    example: '{ project: my-site, objective: A site of two pages., deliverables: [index.html], constraints: No scripts. }',
  },
  {
    key: 'roles',
    type: BRIEF_ROLES_ROW.type,
    own: true,
    default: 'those of the brief',
    meaning: 'The roles of the team, in place of those of the brief.',
    example: '[planner, executor, reviewer]',
  },
  ...WORKTREE_ROWS,
] as const satisfies readonly KeyRow[];

export const BRIEF_KIND = {
  types: ['brief'],
  meaning:
    'A team of roles works a brief: it is planned, done sub-task by sub-task, and judged, and costly actions are authorised. `timeout` is for the whole team, from start to end.',
  output: '`{project, brief_id, outcome, rationale, sub_tasks, calls, questions}`',
  rows: ROWS,
  mappings: {
    brief: {
      title: '`brief` of a brief step',
      what: 'a brief',
      such: '{project: my-site, objective: A site., deliverables: index.html}',
      rows: BRIEF_ROWS,
    },
    'brief-role': { title: 'a role of a brief', what: 'a role of a brief', such: '{adapter: anthropic}', rows: BRIEF_ROLE_ROWS },
    'brief-cli': { title: '`cli` of a brief', what: '"cli"', such: '{binary: claude}', rows: BRIEF_CLI_ROWS },
    'brief-budgets': { title: '`budgets` of a brief', what: '"budgets"', such: '{max_tokens: 80000}', rows: BRIEF_BUDGET_ROWS },
  },
  plainBy: ['brief'],
  example: `- id: site
  brief:
    project: my-site
    mode: auto
    authorized_costs: [filesystem_write]
    roles: [planner, executor, reviewer]
    objective: A site of two pages.
    deliverables: [index.html, about.html]
    constraints: No scripts.`,
} as const satisfies KindRow;
