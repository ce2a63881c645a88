import type { CommandSpec } from '../command';
import * as applyCommand from '../commands/team-apply';
import * as listCommand from '../commands/team-list';
import * as startCommand from '../commands/team-start';
import * as stopCommand from '../commands/team-stop';
import { BY_OPTION, JSON_OPTION, SERVER_OPTIONS, TOKEN_OPTION } from './options';

const TEAM = { form: '<team>', doc: 'a team’s name, or its file: teams/NAME.yaml', completes: 'pipeline' } as const;
const SCRIPT_OPTION = { flags: '--script <name>', doc: 'a script plays the agents; no model is called', completes: 'script' } as const;

/** Teams that outlive a run. */
export const TEAM_RUN_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'team start',
    summary: 'start a team; it goes on with the board that its last run has left',
    arguments: [TEAM],
    options: [SCRIPT_OPTION, { flags: '--anew', doc: 'begin with an empty board' }, TOKEN_OPTION, JSON_OPTION, ...SERVER_OPTIONS],
    examples: ['team start maintainers', 'team start maintainers --script maintainers'],
    load: () => startCommand,
  },
  {
    name: 'team stop',
    summary: 'stop a team: nothing is claimed any more, its members shut down, and its board is kept',
    arguments: [TEAM],
    options: [{ flags: '--now', doc: 'cut off what is in progress' }, BY_OPTION, JSON_OPTION, ...SERVER_OPTIONS],
    examples: ['team stop maintainers', 'team stop maintainers --now'],
    load: () => stopCommand,
  },
  {
    name: 'team apply',
    summary: 'bring a team to what its file now says; its board, and the members that stay, go on',
    arguments: [TEAM],
    options: [
      { ...SCRIPT_OPTION, doc: 'a script plays the agents; default: as the team was started' },
      { flags: '--live', doc: 'ask real models, though a script played the agents' },
      BY_OPTION,
      TOKEN_OPTION,
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['team apply maintainers'],
    load: () => applyCommand,
  },
  {
    name: 'team list',
    summary: 'list teams: which run, who works in them, and how much is done',
    options: [JSON_OPTION, ...SERVER_OPTIONS],
    examples: ['team list', 'team list --json'],
    load: () => listCommand,
  },
];
