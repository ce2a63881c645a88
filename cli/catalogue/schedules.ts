import type { ArgumentSpec, CommandSpec } from '../command';
import * as scheduleCommand from '../commands/schedule';
import * as scheduleApplyCommand from '../commands/schedule-apply';
import * as scheduleBackfillCommand from '../commands/schedule-backfill';
import { JSON_OPTION, SERVER_OPTIONS } from './options';

const SCHEDULE_ARGUMENT: ArgumentSpec = {
  form: '<schedule>',
  doc: 'a schedule’s name: its pipeline’s, or PIPELINE.TRIGGER',
  completes: 'schedule',
};
const COMMON = [JSON_OPTION, ...SERVER_OPTIONS];

/** Schedules. */
export const SCHEDULE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'schedule apply',
    summary: 'create or update the server’s schedules from the pipelines’ triggers',
    arguments: [{ form: '[files...]', doc: 'pipelines; default: all of the pipelines folders', completes: 'file' }],
    options: [
      { flags: '--prune', doc: 'delete this installation’s schedules whose pipeline or trigger no longer exists' },
      { flags: '--all', doc: 'with --prune: delete even if no schedule is left' },
      { flags: '--take-over', doc: 'take over schedules of these names from another installation' },
      { flags: '--dry-run', doc: 'say what would be done, and change nothing' },
      { flags: '--script <name>', doc: 'a script that plays the agents of every started run', completes: 'script' },
      ...COMMON,
    ],
    examples: ['schedule apply', 'schedule apply pipelines/daily-quant-pipeline.yaml', 'schedule apply --prune --dry-run'],
    load: () => scheduleApplyCommand,
  },
  {
    name: 'schedule list',
    summary: 'list schedules with their owners, next and last runs, and triggers that are not applied',
    options: COMMON,
    examples: ['schedule list'],
    load: () => ({ execute: scheduleCommand.list }),
  },
  {
    name: 'schedule show',
    summary: 'show a schedule: its next ten moments as the server says them, its last runs, and what was left out',
    arguments: [SCHEDULE_ARGUMENT],
    options: COMMON,
    examples: ['schedule show daily_quant_pipeline'],
    load: () => ({ execute: scheduleCommand.show }),
  },
  {
    name: 'schedule trigger',
    summary: 'start a run now',
    arguments: [SCHEDULE_ARGUMENT],
    options: COMMON,
    examples: ['schedule trigger daily_quant_pipeline'],
    load: () => ({ execute: scheduleCommand.trigger }),
  },
  {
    name: 'schedule backfill',
    summary: 'start the runs that a schedule lacks for moments of the past; what has a run gets no other',
    arguments: [SCHEDULE_ARGUMENT],
    options: [
      { flags: '--from <time>', doc: 'the first moment that is meant: 2026-11-23 or 2026-11-23T07:30, in the schedule’s time zone' },
      { flags: '--to <time>', doc: 'the last one; default: now' },
      { flags: '--missed', doc: 'those that the server has missed, dropped or left out; --from may be absent' },
      { flags: '--limit <number>', doc: 'refuse a time with more moments; default: 500' },
      { flags: '--dry-run', doc: 'say what would be started, and start nothing' },
      ...COMMON,
    ],
    examples: [
      'schedule backfill daily_quant_pipeline --from 2026-11-02 --to 2026-11-20 --dry-run',
      'schedule backfill daily_quant_pipeline --missed',
    ],
    load: () => scheduleBackfillCommand,
  },
  {
    name: 'schedule pause',
    summary: 'start no runs until the schedule is unpaused; `schedule apply` keeps it paused',
    arguments: [{ ...SCHEDULE_ARGUMENT, form: '[schedule]' }],
    options: [
      { flags: '--reason <text>', doc: 'shown with the schedule' },
      { flags: '--all', doc: 'all schedules of this installation that are not paused' },
      ...COMMON,
    ],
    examples: ['schedule pause daily_quant_pipeline --reason "exchange holiday"', 'schedule pause --all --reason "moving house"'],
    load: () => ({ execute: scheduleCommand.pause }),
  },
  {
    name: 'schedule unpause',
    summary: 'start runs again',
    arguments: [{ ...SCHEDULE_ARGUMENT, form: '[schedule]' }],
    options: [
      { flags: '--reason <text>', doc: 'shown with the schedule' },
      { flags: '--all', doc: 'those that `pause --all` has paused, and no others' },
      ...COMMON,
    ],
    examples: ['schedule unpause daily_quant_pipeline', 'schedule unpause --all'],
    load: () => ({ execute: scheduleCommand.unpause }),
  },
  {
    name: 'schedule delete',
    summary: 'delete a schedule; its runs stay',
    arguments: [SCHEDULE_ARGUMENT],
    options: COMMON,
    examples: ['schedule delete daily_quant_pipeline'],
    load: () => ({ execute: scheduleCommand.remove }),
  },
];
