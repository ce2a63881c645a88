import { COST_CATEGORIES } from '../../plan/brief/category';
import type { CommandSpec } from '../command';
import * as grantCommand from '../commands/grant';
import { BY_OPTION, JSON_OPTION, STATE_DIR_OPTION } from './options';

/** Commands on what people have granted for ever to the agents of a brief's project. */
export const GRANT_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'grant list',
    summary: 'list what people have granted to the agents of projects for ever',
    options: [{ flags: '--project <name>', doc: 'of this project only' }, JSON_OPTION, STATE_DIR_OPTION],
    examples: ['grant list', 'grant list --project acme --json'],
    load: () => ({ execute: grantCommand.list }),
  },
  {
    name: 'grant revoke',
    summary: 'revoke what was granted for ever, from the next call of a tool on, in running runs too',
    arguments: [
      { form: '<project>', doc: 'the project of the brief' },
      {
        form: '<category>',
        doc: 'a category, as `grant list` shows it, or a wildcard: all that it covers is revoked',
        completes: COST_CATEGORIES,
      },
    ],
    options: [BY_OPTION, JSON_OPTION, STATE_DIR_OPTION],
    examples: ['grant revoke acme git_push', "grant revoke acme 'mcp_tool:github:*' --by ann"],
    load: () => ({ execute: grantCommand.revoke }),
  },
];
