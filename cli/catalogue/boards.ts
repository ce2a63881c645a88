import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command';
import * as taskCommand from '../commands/task';
import * as teamCommand from '../commands/team';
import { BY_OPTION, JSON_OPTION, SERVER_OPTIONS } from './options';

const TEAM_ARGUMENT: ArgumentSpec = {
  form: '<team>',
  doc: 'a team’s name, or a run that has a board',
  completes: 'open-run',
};
const MEMBER_ARGUMENT: ArgumentSpec = { form: '<member>', doc: 'a member’s name, or lead' };
const TEAM_OPTION: OptionSpec = {
  flags: '--team <team>',
  doc: 'a team’s name, or a run that has a board; default: the newest run',
  completes: 'open-run',
};
const STEP_OPTION: OptionSpec = { flags: '--step <step>', doc: 'the step of the board, if the run has several' };
const LOOKS: readonly OptionSpec[] = [STEP_OPTION, JSON_OPTION, ...SERVER_OPTIONS];
const ORDERS: readonly OptionSpec[] = [STEP_OPTION, BY_OPTION, JSON_OPTION, ...SERVER_OPTIONS];

/** Boards, their tasks and members. */
export const BOARD_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'task add',
    summary: 'put a task on the board of a team',
    arguments: [{ form: '<subject>', doc: 'the task in one line' }],
    options: [
      TEAM_OPTION,
      { flags: '--description <text>', doc: 'what is to be done, at most 64 KiB' },
      { flags: '--name <name>', doc: 'what others call it, unique on the board' },
      { flags: '--after <task>', doc: 'a task that must be done before, by its number or name', repeated: true },
      { flags: '--role <role>', doc: 'the role that its owner must have' },
      { flags: '--priority <number>', doc: 'the smaller number is claimed first; 0 if left out' },
      { flags: '--worktree', doc: 'it is done in a git worktree of its own, if the board makes any' },
      { flags: '--key <key>', doc: 'of several tasks with the same key only the first is put on the board' },
      ...ORDERS,
    ],
    examples: ['task add "Write the parser" --team maintainers --after lexer --role coder', 'task add "Look at issue 17" --key issue-17'],
    load: () => ({ execute: taskCommand.add }),
  },
  {
    name: 'task list',
    summary: 'show the tasks of a board with their owners: open ones, and the last that were completed',
    options: [TEAM_OPTION, ...LOOKS],
    examples: ['task list --team maintainers', 'task list --json'],
    load: () => ({ execute: taskCommand.list }),
  },
  {
    name: 'task show',
    summary: 'show a task: its description, who gave it back and why, its attempts, its cost and its result',
    arguments: [{ form: '<task>', doc: 'its number or name' }],
    options: [TEAM_OPTION, ...LOOKS],
    examples: ['task show 3 --team maintainers', 'task show parser --json'],
    load: () => ({ execute: taskCommand.show }),
  },
  {
    name: 'team board',
    summary: 'show the board of a team with its owners, and who works and who is idle',
    arguments: [{ ...TEAM_ARGUMENT, form: '[team]', doc: `${TEAM_ARGUMENT.doc}; default: the newest run` }],
    options: LOOKS,
    examples: ['team board', 'team board maintainers --json'],
    load: () => ({ execute: teamCommand.board }),
  },
  {
    name: 'team inbox',
    summary: 'show the messages that a member has not read yet, or that members wrote to a lead who is a person',
    arguments: [TEAM_ARGUMENT, MEMBER_ARGUMENT],
    options: [{ flags: '--whole', doc: 'long messages in full' }, ...LOOKS],
    examples: ['team inbox maintainers alice', 'team inbox maintainers lead --whole'],
    load: () => ({ execute: teamCommand.inbox }),
  },
  {
    name: 'team message',
    summary: 'write to a member of a team, or ask it to shut down',
    arguments: [TEAM_ARGUMENT, MEMBER_ARGUMENT, { form: '[text]', doc: 'the message, or the reason' }],
    options: [{ flags: '--shut-down', doc: 'ask the member to shut down' }, ...ORDERS],
    examples: ['team message maintainers alice "Mind the licence"', 'team message maintainers bob --shut-down'],
    load: () => ({ execute: teamCommand.message }),
  },
  {
    name: 'team add',
    summary: 'add a member to a team that runs, or start one again',
    arguments: [TEAM_ARGUMENT, { ...MEMBER_ARGUMENT, doc: 'its name' }],
    options: [
      {
        flags: '--agent <agent>',
        doc: 'the agent that it runs as: one that the team has. Default: as before, or the only one',
        completes: 'agent',
      },
      { flags: '--role <role>', doc: 'its role: it may claim tasks that require it' },
      { flags: '--prompt <text>', doc: 'its first instructions; default: it looks at the board' },
      ...ORDERS,
    ],
    examples: ['team add maintainers carol --agent coder --role tester'],
    load: () => ({ execute: teamCommand.add }),
  },
];
