import type { CommandSpec } from '../command';
import * as caidCommand from '../teams/report';
import { JSON_OPTION, RUN_ARGUMENT, SERVER_OPTIONS } from './options';

/** Teams of agents. */
export const TEAM_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'caid report',
    summary: 'show what a team has done: who had which task when, what came back, what it used; for several runs, how they compare',
    arguments: [{ ...RUN_ARGUMENT, form: '<runs...>' }],
    options: [
      { flags: '--html <file>', doc: 'write one page with a chart of engineers and merge queue', completes: 'file' },
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['caid report 7f3k2a', 'caid report 7f3k2a 9c1d4e', 'caid report 7f3k2a --html report.html'],
    load: () => ({ execute: caidCommand.report }),
  },
];
