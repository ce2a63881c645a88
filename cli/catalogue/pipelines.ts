import type { CommandSpec, OptionSpec } from '../command';
import * as agentsCommand from '../commands/agents';
import * as graphCommand from '../commands/graph';
import * as initCommand from '../commands/init';
import * as planCommand from '../commands/plan';
import * as runCommand from '../commands/run';
import * as schemaCommand from '../commands/schema';
import * as testCommand from '../commands/test';
import * as validateCommand from '../commands/validate';
import { GALLERY } from '../init/gallery';
import { DETACH_OPTION, EXPANDED_OPTION, JSON_OPTION, PIPELINE_ARGUMENT, SERVER_OPTIONS, TOKEN_OPTION, WORKER_OPTION } from './options';

const GRAPH_FORMATS = ['mermaid', 'dot', 'ascii'] as const;
const DIAGNOSTIC_FORMATS = ['text', 'lines', 'json'] as const;
const SCHEMA_SUBJECTS = ['pipeline', 'agent', 'brief', 'role'] as const;

/** Commands on pipelines, for use before there is a run. */
const RUN_OPTIONS: readonly OptionSpec[] = [
  { flags: '--arg <name=value>', doc: 'an arg of the pipeline', repeated: true },
  { flags: '--args-json <json>', doc: 'all args as one JSON object' },
  { flags: '--script <name>', doc: 'a script next to the pipeline that plays the agents', completes: 'script' },
  { flags: '--live', doc: 'real models, no script' },
  { flags: '--record <file>', doc: 'when the run ends or waits, write its replies and decisions to a script', completes: 'file' },
  { flags: '--id <id>', doc: 'the run’s id instead of a generated one' },
  { flags: '--at <time>', doc: 'the moment that the run is for, in place of a schedule’s: 2026-11-23T07:30, in the pipeline’s time zone' },
  { flags: '--post-mortem', doc: 'ask for a post-mortem, even if `when` in the file would skip it' },
  { flags: '--dry-run', doc: 'show what would run, in order, with all that is known; starts nothing' },
  TOKEN_OPTION,
  WORKER_OPTION,
  { ...DETACH_OPTION, doc: 'start the run and return at once' },
  JSON_OPTION,
  ...SERVER_OPTIONS,
];

export const PIPELINE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'create a working folder: a pipeline, an agent, a schema and a script for offline runs',
    arguments: [{ form: '[folder]', doc: 'the folder to create; default: the current one', completes: 'file' }],
    options: [
      {
        flags: '--template [name]',
        doc: 'start from a template; without a name, list them',
        choices: GALLERY.map(({ name }) => name),
      },
      { flags: '--repo', doc: 'a pipeline with a coding agent for the git repository of the folder' },
      { flags: '--agent <name>', doc: 'the agent’s program; default: one that is installed and logged in' },
    ],
    examples: ['init hello', 'init --template', 'init my-team --template release', 'init --repo --agent codex'],
    load: () => initCommand,
  },
  {
    name: 'validate',
    summary: 'check pipelines and report all mistakes',
    arguments: [{ form: '<pipelines...>', doc: 'files, or names of pipelines', completes: 'pipeline' }],
    options: [
      { flags: '--script <name>', doc: 'check this script against the pipeline as well', completes: 'script' },
      { flags: '--format <format>', doc: 'text for people, one line per mistake for editors, or JSON', choices: DIAGNOSTIC_FORMATS },
      JSON_OPTION,
    ],
    examples: ['validate pipelines/*.yaml', 'validate hello', 'validate --format lines pipelines/*.yaml'],
    load: () => validateCommand,
  },
  {
    name: 'test',
    summary: 'run the tests next to pipelines: in memory, on a virtual clock, without a server',
    arguments: [
      { form: '[files...]', doc: 'test files, folders or pipelines; default: those of the pipelines’ folders', completes: 'file' },
    ],
    options: [
      { flags: '--filter <text>', doc: 'only tests whose name contains this text' },
      { flags: '--watch', doc: 'run again whenever a file changes' },
      { flags: '--coverage', doc: 'show which steps, conditions, actions and branches no test reached' },
      { flags: '--coverage-min <percent>', doc: 'fail if fewer of a pipeline’s steps are reached' },
      { flags: '--coverage-min-branches <percent>', doc: 'fail if fewer of a pipeline’s branches are reached' },
      { flags: '--junit <file>', doc: 'write a JUnit XML report as well', completes: 'file' },
      JSON_OPTION,
    ],
    examples: ['test', 'test pipelines/release.test.yaml --coverage --junit report.xml'],
    load: () => testCommand,
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of the language, for editors',
    options: [{ flags: '--for <file>', doc: 'the kind of file; default: pipeline', choices: SCHEMA_SUBJECTS }],
    examples: ['schema > thermidor.schema.json', 'schema --for agent > thermidor-agent.schema.json'],
    load: () => schemaCommand,
  },
  {
    name: 'plan',
    summary: 'show what a pipeline compiles to',
    arguments: [PIPELINE_ARGUMENT],
    options: [EXPANDED_OPTION, JSON_OPTION],
    examples: ['plan pipelines/daily-quant-pipeline.yaml'],
    load: () => planCommand,
  },
  {
    name: 'agents',
    summary: 'list the agents of pipelines: how each runs, what it may do, and which steps use it',
    arguments: [{ ...PIPELINE_ARGUMENT, form: '[pipeline]', doc: 'a pipeline’s file or name; default: all of the pipelines’ folders' }],
    options: [JSON_OPTION],
    examples: ['agents', 'agents pipelines/daily-quant-pipeline.yaml --json'],
    load: () => agentsCommand,
  },
  {
    name: 'graph',
    summary: 'draw a pipeline or a run',
    arguments: [{ ...PIPELINE_ARGUMENT, form: '[pipeline]' }],
    options: [
      { flags: '--format <format>', doc: 'output format; default: drawn on a terminal, else mermaid', choices: GRAPH_FORMATS },
      { flags: '--run <run>', doc: 'colour the graph by the state of a run', completes: 'run' },
      EXPANDED_OPTION,
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['graph pipelines/daily-quant-pipeline.yaml --format ascii', 'graph --run 7f3k2a'],
    load: () => graphCommand,
  },
  {
    name: 'run',
    summary: 'start a run and follow it',
    arguments: [PIPELINE_ARGUMENT],
    options: RUN_OPTIONS,
    examples: [
      'run pipelines/daily-quant-pipeline.yaml --script daily-quant',
      'run release --arg version=1.4.0 --detach',
      'run release --dry-run --json',
    ],
    load: () => runCommand,
  },
  {
    name: 'coordinate',
    summary: 'start a task file: the patterns that fit its task plan, execute and validate it',
    arguments: [{ ...PIPELINE_ARGUMENT, doc: 'a YAML file with `task`, `select`, `roles` and `agents`' }],
    options: RUN_OPTIONS,
    examples: ['coordinate task.yaml', 'coordinate task.yaml --dry-run'],
    load: () => runCommand,
  },
];
