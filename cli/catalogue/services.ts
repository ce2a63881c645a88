import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command';
import { SHELLS } from '../completion/shell-scripts';
import { JSON_OPTION, SERVER_OPTIONS } from './options';

const SCHEDULE_ARGUMENT: ArgumentSpec = { form: '<schedule>', doc: 'a schedule’s name: its pipeline’s', completes: 'schedule' };
const COMMON = [JSON_OPTION, ...SERVER_OPTIONS];
const CALLBACKS_PORT_OPTION: OptionSpec = {
  flags: '--callbacks-port <number>',
  doc: 'where answers from chats and links come in; without it 7244',
};
const METRICS_PORT_OPTION: OptionSpec = {
  flags: '--metrics-port <number>',
  doc: 'answer /metrics for Prometheus, /healthz and /readyz here; without it, what `metrics:` in thermidor.yaml says',
};
const schedule = (): typeof import('../commands/schedule') => require('../commands/schedule') as typeof import('../commands/schedule');

/** Schedules, servers, workers, and the command line itself. */
export const SERVICE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'schedule apply',
    summary: 'make the server’s schedules what the pipelines’ triggers say',
    arguments: [{ form: '[files...]', doc: 'pipelines; without any, all of the pipelines folders', completes: 'file' }],
    options: [
      { flags: '--prune', doc: 'delete schedules whose pipeline or trigger is gone' },
      { flags: '--script <name>', doc: 'a script stands in for the agents of every run that is started', completes: 'script' },
      ...COMMON,
    ],
    examples: ['schedule apply', 'schedule apply pipelines/daily-quant-pipeline.yaml'],
    load: () => ({ execute: schedule().apply }),
  },
  {
    name: 'schedule list',
    summary: 'list schedules',
    options: COMMON,
    examples: ['schedule list'],
    load: () => ({ execute: schedule().list }),
  },
  {
    name: 'schedule trigger',
    summary: 'start a run now',
    arguments: [SCHEDULE_ARGUMENT],
    options: COMMON,
    examples: ['schedule trigger daily_quant_pipeline'],
    load: () => ({ execute: schedule().trigger }),
  },
  {
    name: 'schedule pause',
    summary: 'start no runs until it is unpaused; apply keeps it so',
    arguments: [SCHEDULE_ARGUMENT],
    options: [{ flags: '--reason <text>', doc: 'shown with the schedule' }, ...COMMON],
    examples: ['schedule pause daily_quant_pipeline --reason "exchange holiday"'],
    load: () => ({ execute: schedule().pause }),
  },
  {
    name: 'schedule unpause',
    summary: 'go on starting runs',
    arguments: [SCHEDULE_ARGUMENT],
    options: [{ flags: '--reason <text>', doc: 'shown with the schedule' }, ...COMMON],
    examples: ['schedule unpause daily_quant_pipeline'],
    load: () => ({ execute: schedule().unpause }),
  },
  {
    name: 'schedule delete',
    summary: 'delete a schedule; its runs stay',
    arguments: [SCHEDULE_ARGUMENT],
    options: COMMON,
    examples: ['schedule delete daily_quant_pipeline'],
    load: () => ({ execute: schedule().remove }),
  },
  {
    name: 'up',
    summary: 'server, worker, and the listener for answers from chats and links, until Ctrl-C',
    options: [
      { flags: '--port <number>', doc: 'the server’s port; without it 7233, or another where that is taken' },
      CALLBACKS_PORT_OPTION,
      { flags: '--no-callbacks', doc: 'take no answers from chats and links' },
      METRICS_PORT_OPTION,
      ...COMMON,
    ],
    examples: ['up', 'up --port 7300 --json', 'up --no-callbacks'],
    load: () => require('../commands/up') as typeof import('../commands/up'),
  },
  {
    name: 'worker',
    summary: 'a worker, until Ctrl-C',
    options: [
      {
        flags: '--role <role>',
        doc: 'what it does: `worker` (the default), or `callbacks`, which only listens for answers',
        choices: ['worker', 'callbacks'],
      },
      CALLBACKS_PORT_OPTION,
      {
        flags: '--queues <names>',
        doc: 'takes steps with these queues, with commas; `default` is workflows, and steps without a queue',
      },
      { flags: '--label <name>', doc: 'what this host is able to do: steps of that queue too', repeated: true },
      { flags: '--agents <count>', doc: 'agents at work at once' },
      METRICS_PORT_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: [
      'worker --address temporal.example.com:7233 --agents 4',
      'worker --queues default,host --label gpu',
      'worker --role callbacks',
    ],
    load: () => require('../commands/worker') as typeof import('../commands/worker'),
  },
  {
    name: 'doctor',
    summary: 'check server, worker, store and configuration, each with what to do about it',
    options: COMMON,
    examples: ['doctor'],
    load: () => require('../commands/doctor') as typeof import('../commands/doctor'),
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    arguments: [{ form: '<shell>', doc: SHELLS.join(', '), completes: SHELLS }],
    examples: ['completion bash > /etc/bash_completion.d/thermidor', 'completion fish > ~/.config/fish/completions/thermidor.fish'],
    load: () => require('../commands/completion') as typeof import('../commands/completion'),
  },
];
