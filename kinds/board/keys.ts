import { RANGES } from '../../compiler/language/ranges';
import type { KeyRow, KindRow } from '../../compiler/language/row';
import { DEFAULT_MEMBERS, MOST_MEMBERS } from '../../plan/board/member';
import { LEAD_ROWS, MEMBER_ROWS, MERGE_ROWS, TASK_ROWS } from './mapping-rows';
import { BOARD_ENDS } from './rules/limits';

/** Members claim tasks from a board themselves. */
const ROWS = [
  {
    key: 'team',
    type: { kind: 'text' },
    default: 'the id of the step',
    meaning: 'The name of the team. Members see it when they begin.',
    example: 'research',
  },
  {
    key: 'lead',
    type: { kind: 'mapping', name: 'board-lead' },
    default: 'a person leads',
    meaning: 'The agent that leads: it creates tasks, spawns and shuts down members, and answers their plans. It claims nothing by itself.',
    example: '{ agent: chief, prompt: "Create 3 tasks on the board, then spawn alice and bob." }',
  },
  {
    key: 'members',
    type: { kind: 'list', of: { kind: 'mapping', name: 'board-member' } },
    takes: 'a list of members',
    default: 'none: the lead spawns them',
    meaning: 'Who works from the beginning.',
    example: '[{ name: alice, role: coder, agent: writer }, { name: bob, role: coder, agent: writer }]',
  },
  {
    key: 'spawns',
    type: { kind: 'list', of: { kind: 'agent' }, alone: true },
    requires: { keys: ['lead'], hint: 'add `lead: { agent: …, prompt: … }`, the agent that spawns them' },
    default: 'none: the team stays as it is',
    meaning: 'The agents that the lead may spawn as members.',
    example: '[editor]',
  },
  {
    key: 'tasks',
    type: { kind: 'either', of: [{ kind: 'list', of: { kind: 'mapping', name: 'board-task' } }, { kind: 'expression' }] },
    takes: 'a list of tasks, or an expression such as $plan.json.tasks',
    default: 'none: the team creates them',
    meaning: 'The tasks that the board begins with. The items of a list that an expression names have the same keys.',
    example: '[{ name: lexer, subject: Write the lexer }, { subject: Write the parser, blocked_by: [lexer] }]',
  },
  {
    key: 'worktree',
    type: { kind: 'either', of: [{ kind: 'boolean' }, { kind: 'mapping', name: 'worktree' }] },
    default: 'none: members work in no repository',
    meaning:
      'A git worktree of its own for each task that does not say otherwise (`true`, or a mapping that says how they are made). A member that has such a task works there, and nowhere else.',
    example: 'true',
  },
  {
    key: 'merge',
    type: { kind: 'mapping', name: 'board-merge' },
    default: 'none: what tasks leave in their worktrees stays in refs of the run',
    meaning: 'Lands what a completed task has left in its worktree, through the merge queue: the task is completed once it has landed.',
    example: '{ into: main, test: npm test }',
  },
  {
    key: 'most_members',
    type: { kind: 'integer', min: 1, max: MOST_MEMBERS },
    default: `\`${DEFAULT_MEMBERS}\``,
    meaning: 'How many members there are at most, an agent that leads and all that are spawned included.',
    example: '4',
  },
  {
    key: 'idle_timeout',
    type: { kind: 'duration' },
    default: '`60s`',
    meaning: 'How long a member without work waits for a message or a task before it shuts down.',
    example: '5m',
  },
  {
    key: 'shutdown_timeout',
    type: { kind: 'duration' },
    default: '`5m`',
    meaning: 'How long a member may take to answer a request to shut down. Then it is ended, and its task goes back.',
    example: '2m',
  },
  {
    key: 'max_turns',
    type: { kind: 'integer', ...RANGES.turns },
    default: '`50`',
    meaning: 'How many replies of the model a member has before it must look at the board and its inbox again.',
    example: '30',
  },
  {
    key: 'attempts',
    type: { kind: 'integer', ...RANGES.tries },
    default: '`3`',
    meaning: 'How often a task is tried before a person is asked whether it is tried again or left out.',
    example: '2',
  },
  {
    key: 'task_budget',
    type: { kind: 'mapping', name: 'budget' },
    default: 'none: the `budget` of the step, which all share, is the only one',
    meaning:
      'A budget for each task, over all attempts at it. When it is used up, the task is held, and a person is asked whether it is tried again with a fresh budget or left out. `tool_calls_per_step` and `retries_per_step` count anew in each turn of a member.',
    example: '{ tokens: 80000, wall_clock: 1h }',
  },
  {
    key: 'until',
    type: { kind: 'word', words: BOARD_ENDS },
    default: '`idle`',
    meaning:
      'When the step ends: when all members have shut down (`idle`); the same, and they are asked to once all tasks are done (`all_done`); or when somebody stops the team (`stopped`).',
    example: 'all_done',
  },
] as const satisfies readonly KeyRow[];

export const BOARD_KIND = {
  types: ['board'],
  meaning: 'Members of a team claim tasks from a board themselves.',
  output: '`{team, end, tasks, members, messages}`',
  rows: ROWS,
  mappings: {
    'board-lead': { title: '`lead` of a board step', such: '{agent: chief, prompt: "…"}', rows: LEAD_ROWS },
    'board-member': { title: 'a member of a board step', what: 'a member', such: '{name: alice, agent: coder}', rows: MEMBER_ROWS },
    'board-merge': { title: '`merge` of a board step', what: '"merge" of a board step', such: '{into: main}', rows: MERGE_ROWS },
    'board-task': {
      title: 'a task of a board step',
      what: 'a task of a board',
      such: '{subject: Write the parser}',
      place: 'key of a task',
      rows: TASK_ROWS,
    },
  },
  plainBy: [],
  example: `# needs: agents writer, editor
- id: team
  type: board
  members:
    - { name: alice, role: coder, agent: writer }
    - { name: bob, role: coder, agent: writer }
    - { name: carol, role: critic, agent: editor }
  tasks:
    - { name: lexer, subject: Write the lexer }
    - { name: parser, subject: Write the parser, blocked_by: [lexer] }
    - { subject: Review the parser, blocked_by: [parser], required_role: critic }`,
} as const satisfies KindRow;
