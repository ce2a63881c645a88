import type { CommandSpec } from '../command';
import { DETACH_OPTION, JSON_OPTION, PIPELINE_ARGUMENT, SERVER_OPTIONS } from './options';

const GRAPH_FORMATS = ['mermaid', 'dot', 'ascii'] as const;

/** Commands on pipelines: what can be done before there is a run. */
export const PIPELINE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'make a working folder: a pipeline, an agent, a schema and a script for offline runs',
    arguments: [{ form: '[folder]', doc: 'where to; without it, here', completes: 'file' }],
    examples: ['init hello'],
    load: () => require('../commands/init') as typeof import('../commands/init'),
  },
  {
    name: 'validate',
    summary: 'check pipelines: every mistake of every file',
    arguments: [{ form: '<files...>', doc: 'pipelines', completes: 'file' }],
    options: [{ flags: '--script <name>', doc: 'check this script against the pipeline as well' }, JSON_OPTION],
    examples: ['validate pipelines/*.yaml'],
    load: () => require('../commands/validate') as typeof import('../commands/validate'),
  },
  {
    name: 'plan',
    summary: 'show what a pipeline compiles to',
    arguments: [PIPELINE_ARGUMENT],
    options: [JSON_OPTION],
    examples: ['plan pipelines/daily-quant-pipeline.yaml'],
    load: () => require('../commands/plan') as typeof import('../commands/plan'),
  },
  {
    name: 'graph',
    summary: 'show a pipeline, or a run, as a picture',
    arguments: [{ ...PIPELINE_ARGUMENT, form: '[pipeline]' }],
    options: [
      { flags: '--format <format>', doc: 'how it is written', choices: GRAPH_FORMATS },
      { flags: '--run <run>', doc: 'colour it by what happened in a run' },
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['graph pipelines/daily-quant-pipeline.yaml --format ascii', 'graph --run 7f3k2a'],
    load: () => require('../commands/graph') as typeof import('../commands/graph'),
  },
  {
    name: 'run',
    summary: 'start a run and follow it',
    arguments: [PIPELINE_ARGUMENT],
    options: [
      { flags: '--arg <name=value>', doc: 'an arg of the pipeline', repeated: true },
      { flags: '--args-json <json>', doc: 'all args as one JSON object' },
      { flags: '--script <name>', doc: 'a script beside the pipeline stands in for the agents' },
      { flags: '--live', doc: 'real models, no script' },
      { flags: '--id <id>', doc: 'the run’s id instead of a generated one' },
      { ...DETACH_OPTION, doc: 'start it and return at once' },
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['run pipelines/daily-quant-pipeline.yaml --script daily-quant', 'run release --arg version=1.4.0 --detach'],
    load: () => require('../commands/run') as typeof import('../commands/run'),
  },
];
