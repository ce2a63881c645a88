import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command';
import * as completionCommand from '../commands/completion';
import * as doctorCommand from '../commands/doctor';
import * as fleetCommand from '../commands/fleet';
import * as fleetVersionsCommand from '../commands/fleet-versions';
import * as pruneCommand from '../commands/prune';
import * as storeCommand from '../commands/store';
import * as storeCopyCommand from '../commands/store-copy';
import * as storeResealCommand from '../commands/store-reseal';
import * as upCommand from '../commands/up';
import * as workerCommand from '../commands/worker';
import * as worktreeCommand from '../commands/worktree';
import { SHELLS } from '../completion/shell-scripts';
import { BY_OPTION, JSON_OPTION, SERVER_OPTIONS } from './options';
import { SCHEDULE_COMMANDS } from './schedules';

const HOST_ARGUMENT: ArgumentSpec = { form: '<host>', doc: 'a host’s name, as `thermidor fleet` shows it' };
const VERSION = 'a version as `fleet versions` shows it, or how it begins';
const COMMON = [JSON_OPTION, ...SERVER_OPTIONS];
const CALLBACKS_PORT_OPTION: OptionSpec = {
  flags: '--callbacks-port <number>',
  doc: 'port of the listener for chats and links; default: 7244',
};
const METRICS_PORT_OPTION: OptionSpec = {
  flags: '--metrics-port <number>',
  doc: 'serve /metrics for Prometheus, /healthz and /readyz on this port; default: `metrics:` in thermidor.yaml',
};

/** Schedules, servers, workers, and the command line itself. */
export const SERVICE_COMMANDS: readonly CommandSpec[] = [
  ...SCHEDULE_COMMANDS,
  {
    name: 'up',
    summary: 'run server, worker, and the listener for answers from chats and links, until Ctrl-C',
    options: [
      { flags: '--port <number>', doc: 'the server’s port; default: 7233, or a free one if that is taken' },
      CALLBACKS_PORT_OPTION,
      { flags: '--no-callbacks', doc: 'accept no answers from chats and links' },
      METRICS_PORT_OPTION,
      ...COMMON,
    ],
    examples: ['up', 'up --port 7300 --json', 'up --no-callbacks'],
    load: () => upCommand,
  },
  {
    name: 'worker',
    summary: 'run a worker, until Ctrl-C',
    options: [
      {
        flags: '--role <role>',
        doc: 'what the process does: `worker` (the default), or `callbacks`, which only listens for answers',
        choices: ['worker', 'callbacks'],
      },
      CALLBACKS_PORT_OPTION,
      {
        flags: '--queues <names>',
        doc: 'accept steps of these queues, separated by commas; `default` means workflows, and steps without a queue',
      },
      { flags: '--label <name>', doc: 'a capability of this host: also accept steps of that queue', repeated: true },
      { flags: '--agents <count>', doc: 'maximum number of agents at once' },
      {
        flags: '--max-memory <percent>',
        doc: 'begin no further step while more of the host’s memory is in use; default: 80 if --max-cpu is given',
      },
      { flags: '--max-cpu <percent>', doc: 'begin no further step while its processors are busier; default: 90 if --max-memory is given' },
      {
        flags: '--log <form>',
        doc: 'the log: `text` on standard error (the default), or `json` on standard output, a line each',
        choices: ['text', 'json'],
      },
      METRICS_PORT_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: [
      'worker --address temporal.example.com:7233 --agents 4',
      'worker --queues default,host --label gpu',
      'worker --role callbacks',
    ],
    load: () => workerCommand,
  },
  {
    name: 'fleet',
    summary: 'show hosts and workers by the age of their heartbeats, and queues that nobody serves',
    options: COMMON,
    examples: ['fleet', 'fleet --json'],
    load: () => ({ execute: fleetCommand.show }),
  },
  {
    name: 'fleet drain',
    summary: 'have the workers of a host take no new work, and hand over what they have within the grace time',
    arguments: [HOST_ARGUMENT],
    options: [BY_OPTION, ...COMMON],
    examples: ['fleet drain build-7'],
    load: () => ({ execute: fleetCommand.drain }),
  },
  {
    name: 'fleet undrain',
    summary: 'have the workers of a drained host take work again',
    arguments: [HOST_ARGUMENT],
    options: COMMON,
    examples: ['fleet undrain build-7'],
    load: () => ({ execute: fleetCommand.undrain }),
  },
  {
    name: 'fleet versions',
    summary: 'show which versions workers have, how many open runs each holds, and whether it is drained',
    options: COMMON,
    examples: ['fleet versions', 'fleet versions --json'],
    load: () => ({ execute: fleetVersionsCommand.versions }),
  },
  {
    name: 'fleet promote',
    summary: 'make a version of workers current, forward or back; open runs that it cannot read are pinned first',
    arguments: [{ form: '[version]', doc: `${VERSION}; default: this program’s own` }],
    options: [{ flags: '--percent <number>', doc: 'only this share of the runs, 1 to 100' }, ...COMMON],
    examples: ['fleet promote', 'fleet promote --percent 10', 'fleet promote 4d4da482fca6'],
    load: () => ({ execute: fleetVersionsCommand.promote }),
  },
  {
    name: 'fleet move',
    summary: 'move the open runs of one version of workers to another',
    arguments: [
      { form: '<from>', doc: VERSION },
      { form: '[to]', doc: 'default: the current version' },
    ],
    options: COMMON,
    examples: ['fleet move 55958f2feae9', 'fleet move 55958f2feae9 4d4da482fca6 --json'],
    load: () => ({ execute: fleetVersionsCommand.move }),
  },
  {
    name: 'store migrate',
    summary: 'create the tables of a store on PostgreSQL, or bring them to the version of this program',
    options: [JSON_OPTION],
    examples: ['store migrate'],
    load: () => ({ execute: storeCommand.migrate }),
  },
  {
    name: 'store copy',
    summary: 'move an installation whose runs have ended to another store: a state folder or a PostgreSQL database',
    arguments: [
      { form: '<from>', doc: 'a state folder, postgres://…, or a reference secret://env/NAME to such an address', completes: 'file' },
      { form: '<to>', doc: 'the same; an empty one, or a copy that was not finished', completes: 'file' },
    ],
    options: [
      { flags: '--from-schema <name>', doc: 'schema of the first database; default: thermidor' },
      { flags: '--to-schema <name>', doc: 'schema of the second database; default: thermidor' },
      { flags: '--from-artifacts <address>', doc: 's3://bucket/prefix, where the content of the first store is' },
      { flags: '--to-artifacts <address>', doc: 's3://bucket/prefix, where the content of the second store goes' },
      { flags: '--dry-run', doc: 'only compare the two, and say what would be copied' },
      ...COMMON,
    ],
    examples: ['store copy .thermidor secret://env/THERMIDOR_DATABASE', 'store copy secret://env/THERMIDOR_DATABASE /srv/state --dry-run'],
    load: () => storeCopyCommand,
  },
  {
    name: 'store reseal',
    summary: 'seal the store anew with the key of encryption.use, while nobody uses it',
    options: [JSON_OPTION],
    examples: ['store reseal'],
    load: () => storeResealCommand,
  },
  {
    name: 'prune',
    summary: 'remove ended runs, logs and outputs that are older than `retention:` says and that nothing needs; workers do so every hour',
    options: [
      { flags: '--older-than <duration>', doc: 'instead of `retention:`, for runs, logs and outputs; at least 1d: 30d' },
      { flags: '--dry-run', doc: 'only count what would be removed' },
      ...COMMON,
    ],
    examples: ['prune --dry-run', 'prune --older-than 90d'],
    load: () => pruneCommand,
  },
  {
    name: 'worktree list',
    summary: 'list this host’s worktrees, with their runs and steps, and whether they are in use',
    options: COMMON,
    examples: ['worktree list', 'worktree list --json'],
    load: () => ({ execute: worktreeCommand.list }),
  },
  {
    name: 'worktree prune',
    summary: 'remove worktrees, refs and clones that no run needs; workers do so every hour',
    options: [
      { flags: '--run <run>', doc: 'only the worktrees of this run, also those that the run keeps', completes: 'run' },
      { flags: '--older-than <duration>', doc: 'only worktrees of runs that ended this long ago: 7d, 12h' },
      { flags: '--force', doc: 'with --run: also those that have uncommitted work' },
      { flags: '--dry-run', doc: 'only show what would be removed' },
      ...COMMON,
    ],
    examples: ['worktree prune --dry-run', 'worktree prune --older-than 7d', 'worktree prune --run 7f3k2a'],
    load: () => ({ execute: worktreeCommand.prune }),
  },
  {
    name: 'doctor',
    summary: 'check server, worker, store and configuration, with a hint for each problem',
    options: COMMON,
    examples: ['doctor'],
    load: () => doctorCommand,
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    arguments: [{ form: '<shell>', doc: SHELLS.join(', '), completes: SHELLS }],
    examples: ['completion bash > /etc/bash_completion.d/thermidor', 'completion fish > ~/.config/fish/completions/thermidor.fish'],
    load: () => completionCommand,
  },
];
