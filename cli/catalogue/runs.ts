import { INTENTS } from '../../plan/agents/envelope';
import { FEEDBACK_TYPES } from '../../plan/patterns/feedback';
import { JOURNAL_KINDS } from '../../plan/run/journal';
import { RUN_STATES } from '../../plan/run/status';
import { COST_GROUPS } from '../../records/accounts/sum';
import type { CommandSpec } from '../command';
import * as costCommand from '../commands/cost';
import * as exportCommand from '../commands/export';
import * as importCommand from '../commands/import';
import * as inboxCommand from '../commands/inbox';
import * as journalCommand from '../commands/journal';
import * as listCommand from '../commands/list';
import * as logsCommand from '../commands/logs';
import * as recordCommand from '../commands/record';
import * as showCommand from '../commands/show';
import * as statusCommand from '../commands/status';
import * as watchCommand from '../commands/watch';
import * as whyCommand from '../commands/why';
import { JSON_OPTION, NEWEST_RUN_ARGUMENT, RUN_ARGUMENT, SERVER_OPTIONS, STATE_DIR_OPTION, STEP_ARGUMENT } from './options';

/** Commands that look at runs. */
export const RUN_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'list',
    summary: 'list runs, newest first',
    options: [
      { flags: '--state <state>', doc: 'only runs in this state', choices: RUN_STATES },
      { flags: '--pipeline <name>', doc: 'only runs of this pipeline', completes: 'pipeline' },
      { flags: '--waiting', doc: 'only runs with an open gate' },
      { flags: '--ended', doc: 'only runs that have ended, the last first; those that the server has forgotten, too' },
      { flags: '--all', doc: 'runs of child pipelines too' },
      { flags: '--limit <count>', doc: 'show at most this many; default: 50' },
      { flags: '--cursor <cursor>', doc: 'the page after one whose end printed this' },
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['list --waiting', 'list --ended --state failed', 'list --pipeline daily_quant_pipeline --limit 5 --json'],
    load: () => listCommand,
  },
  {
    name: 'inbox',
    summary: 'list every open gate of every run, and what members of teams wrote to people, with the commands that answer',
    options: [JSON_OPTION, ...SERVER_OPTIONS],
    examples: ['inbox'],
    load: () => inboxCommand,
  },
  {
    name: 'status',
    summary: 'show the tree of a run',
    arguments: [NEWEST_RUN_ARGUMENT],
    options: [{ flags: '--rounds', doc: 'the result of each round: verdict, findings, outputs' }, JSON_OPTION, ...SERVER_OPTIONS],
    examples: ['status', 'status 7f3k2a', 'status 7f3k2a --rounds'],
    load: () => statusCommand,
  },
  {
    name: 'why',
    summary: 'show what a run waits for, since when, and who can clear it',
    arguments: [NEWEST_RUN_ARGUMENT],
    options: [JSON_OPTION, ...SERVER_OPTIONS],
    examples: ['why', 'why 7f3k2a'],
    load: () => whyCommand,
  },
  {
    name: 'watch',
    summary: 'follow a run to its end, with a worker if there is none',
    arguments: [NEWEST_RUN_ARGUMENT],
    options: [JSON_OPTION, ...SERVER_OPTIONS],
    examples: ['watch 7f3k2a'],
    load: () => watchCommand,
  },
  {
    name: 'journal',
    summary: 'show what happened in a run, in order: envelopes, decisions, signals, states',
    arguments: [RUN_ARGUMENT],
    options: [
      { flags: '--step <step>', doc: 'only entries of this step', completes: 'step' },
      { flags: '--kind <kind>', doc: 'only entries of this kind', choices: JOURNAL_KINDS, repeated: true },
      { flags: '--type <type>', doc: 'only feedback of this type in a collaboration pattern', choices: FEEDBACK_TYPES, repeated: true },
      { flags: '--intent <intent>', doc: 'only envelopes of this intent', choices: INTENTS, repeated: true },
      { flags: '--from <who>', doc: 'only envelopes from this agent or person', completes: 'agent' },
      { flags: '--to <who>', doc: 'only envelopes to this agent or person', completes: 'agent' },
      { flags: '--unrouted', doc: 'only messages of agents in a coordinate step that nothing handles' },
      { flags: '--since <when>', doc: 'only entries since: 10m, or a moment' },
      { flags: '--after <number>', doc: 'only entries with a higher number' },
      { flags: '--follow', doc: 'keep following; with --json one entry per line' },
      { flags: '--export <file>', doc: 'write the entries to a file, as JSON Lines', completes: 'file' },
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: [
      'journal 7f3k2a --step review',
      'journal 7f3k2a --kind envelope --from quant_strategist --since 10m',
      'journal 7f3k2a --export run.jsonl',
    ],
    load: () => journalCommand,
  },
  {
    name: 'show',
    summary: 'show a step’s output, artifact, verdict and usage',
    arguments: [RUN_ARGUMENT, STEP_ARGUMENT],
    options: [
      { flags: '--round <number>', doc: 'an earlier round' },
      { flags: '--transcript', doc: 'the conversation with the agent' },
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['show 7f3k2a converge --round 1'],
    load: () => showCommand,
  },
  {
    name: 'logs',
    summary: 'show what commands and agents’ programs printed, live and afterwards',
    arguments: [RUN_ARGUMENT, { ...STEP_ARGUMENT, form: '[step]' }],
    options: [
      { flags: '--follow', doc: 'follow until the run, or the step, has ended; with --json one line each' },
      { flags: '--try <number>', doc: 'this try; default: the newest of a step' },
      { flags: '--grep <pattern>', doc: 'only lines that match this regular expression' },
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['logs 7f3k2a build', 'logs 7f3k2a --follow', 'logs 7f3k2a build --try 1 --grep "(?i)error"'],
    load: () => logsCommand,
  },
  {
    name: 'cost',
    summary: 'show what agents cost: in a run and its children, or in all runs',
    arguments: [{ ...RUN_ARGUMENT, form: '[run]' }],
    options: [
      { flags: '--since <when>', doc: 'only since: 7d, or a day or moment' },
      { flags: '--by <what>', doc: 'group by this only', choices: COST_GROUPS },
      { flags: '--scripted', doc: 'also count the replies of scripts, which cost nothing' },
      JSON_OPTION,
      STATE_DIR_OPTION,
    ],
    examples: ['cost 7f3k2a', 'cost --since 7d --by model', 'cost --since 2026-11-01 --json'],
    load: () => costCommand,
  },
  {
    name: 'record',
    summary: 'turn a run into a script that plays its replies and decisions again',
    arguments: [RUN_ARGUMENT, { form: '<file>', doc: 'the script to write, such as pipelines/scripts/yesterday.yaml', completes: 'file' }],
    options: [{ flags: '--force', doc: 'replace an existing file' }, JSON_OPTION, ...SERVER_OPTIONS],
    examples: ['record 7f3k2a pipelines/scripts/yesterday.yaml'],
    load: () => recordCommand,
  },
  {
    name: 'export',
    summary: 'write all that is known of a run into a folder, with a page for the browser',
    arguments: [RUN_ARGUMENT, { form: '<folder>', doc: 'a folder that is empty, or that does not exist', completes: 'file' }],
    options: [
      { flags: '--unmasked', doc: 'also if a secret of the run is unknown here, so that outputs may show it' },
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['export 7f3k2a incident-0412', 'export daily_quant_pipeline monday --json'],
    load: () => exportCommand,
  },
  {
    name: 'import',
    summary: 'show a run that another installation has exported, among the runs that have ended here',
    arguments: [{ form: '<folder>', doc: 'what `thermidor export` has made', completes: 'file' }],
    options: [JSON_OPTION, ...SERVER_OPTIONS],
    examples: ['import incident-0412'],
    load: () => importCommand,
  },
];
