import { scheduleOf, type TriggerState } from '../../client/apply-schedules';
import type { ThermidorClient } from '../../client/connect';
import type { Us } from '../../client/schedule-owner';
import { withStates, workersOf } from '../../client/schedule-record';
import {
  deleteSchedule,
  listOwnedSchedules,
  type OwnedSchedule,
  pauseAll,
  pauseSchedule,
  showSchedule,
  triggerSchedule,
  unpauseAll,
  unpauseSchedule,
} from '../../client/schedules';
import { defined } from '../../plan/defined';
import { bug } from '../../plan/run/failure';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { renderSchedule, renderSchedules, type ShownSchedule } from '../rendering/schedules';
import { renderEmpty } from '../rendering/text/empty';
import { ifNothingHasRun } from '../session/nothing-has-run';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import { givenFlags } from '../settings/given-flags';
import { hookAddress } from '../triggers/hook-paths';
import { printStale, triggersHere, wantedTriggers } from '../triggers/trigger-news';
import { usHere } from '../triggers/us';

/**
 * Commands on Temporal Schedules. All except `list` and `show` work on those of this installation, and on those that have no owner.
 */

export function list(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const shown = withSession(invocation, 'server', async (session) => {
    const { client, configuration } = session;
    const listed = await listOwnedSchedules(client, await usHere(session));
    const states = await triggersHere(session, wantedTriggers(configuration, terminal.cwd));
    const stale = states.filter(({ state }) => state !== 'applied');
    const schedules = await shownSchedules(session, listed, states, 1);
    if (options.flag('json')) terminal.out(`${JSON.stringify({ schedules, triggers: stale }, null, 2)}\n`);
    else if (schedules.length === 0)
      terminal.err(renderEmpty('no schedules', 'make one for each `trigger:` with', 'schedule apply', givenFlags(configuration)));
    else terminal.out(renderSchedules(schedules, terminal));
    if (!options.flag('json')) printStale(stale, terminal);
    return EXIT.done;
  });
  return ifNothingHasRun(shown, (why) => {
    terminal.err(why);
    if (options.flag('json')) terminal.out(`${JSON.stringify({ schedules: [], triggers: [] }, null, 2)}\n`);
    return EXIT.done;
  });
}

export function show(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  return withSession(invocation, 'server', async (session) => {
    const { client, configuration } = session;
    const found = await showSchedule(client, await usHere(session), args[0] ?? '');
    const wanted = wantedTriggers(configuration, terminal.cwd).filter((one) => scheduleOf(one) === found.schedule);
    const [schedule] = await shownSchedules(session, [found], await triggersHere(session, wanted), RUNS_SHOWN);
    if (!schedule) throw bug(`no schedule is left of ${found.schedule}`);
    terminal.out(options.flag('json') ? `${JSON.stringify(schedule, null, 2)}\n` : renderSchedule(schedule, terminal));
    return EXIT.done;
  });
}

const RUNS_SHOWN = 10;

/** Each with how its last runs ended, who takes its work, and how its trigger in a file relates to it. */
async function shownSchedules(
  { client, configuration }: Session,
  listed: readonly OwnedSchedule[],
  triggers: readonly TriggerState[],
  runs: number,
): Promise<ShownSchedule[]> {
  const workers = await workersOf(
    client,
    listed.map(({ taskQueue }) => taskQueue),
  );
  const shown: ShownSchedule[] = [];
  for (const { record, ...one } of listed) {
    const trigger = triggers.find(({ schedule }) => schedule === one.schedule)?.state;
    const last = record && { lastRuns: await withStates(client, record.lastRuns.slice(0, runs)) };
    const [next] = one.paused ? [] : (record?.nextRuns ?? []);
    const deliveries = one.webhook === undefined ? undefined : hookAddress(configuration, one.webhook);
    shown.push({ ...one, ...defined({ next, trigger, deliveries, workers: workers.get(one.taskQueue) }), ...record, ...last });
  }
  return shown;
}

export const trigger = (invocation: Invocation): Promise<number> =>
  change(invocation, 'triggered', async (session, us, name) => {
    await triggerSchedule(session.client, us, name);
    if (session.served === 'nowhere') invocation.terminal.err('The run needs a worker to continue: thermidor up.\n');
  });

export function pause(invocation: Invocation): Promise<number> {
  const why = reason(invocation, 'paused by an operator');
  if (isForAll(invocation)) return changeAll(invocation, 'paused', (client, us) => pauseAll(client, us, why));
  return change(invocation, 'paused', ({ client }, us, name) => pauseSchedule(client, us, name, why));
}

export function unpause(invocation: Invocation): Promise<number> {
  const why = reason(invocation, 'unpaused by an operator');
  if (isForAll(invocation)) return changeAll(invocation, 'unpaused', (client, us) => unpauseAll(client, us, why));
  return change(invocation, 'unpaused', ({ client }, us, name) => unpauseSchedule(client, us, name, why));
}

function isForAll({ args, options }: Invocation): boolean {
  const all = options.flag('all');
  if (all === (args[0] !== undefined)) throw usage(all ? '--all names no schedule' : 'name a schedule, or give --all');
  return all;
}

function changeAll(invocation: Invocation, done: string, work: (client: ThermidorClient, us: Us) => Promise<string[]>): Promise<number> {
  const { options, terminal } = invocation;
  return withSession(invocation, 'server', async (session) => {
    const names = await work(session.client, await usHere(session));
    if (options.flag('json')) terminal.out(`${JSON.stringify({ schedules: names.map((schedule) => ({ schedule, done })) }, null, 2)}\n`);
    else if (names.length === 0) terminal.err(`no schedule is to be ${done}\n`);
    else for (const name of names) terminal.out(`${name}  ${done}\n`);
    return EXIT.done;
  });
}

export const remove = (invocation: Invocation): Promise<number> =>
  change(invocation, 'deleted', ({ client }, us, name) => deleteSchedule(client, us, name));

function reason({ options }: Invocation, otherwise: string): string {
  return options.text('reason') ?? otherwise;
}

function change(invocation: Invocation, done: string, work: (session: Session, us: Us, name: string) => Promise<void>): Promise<number> {
  const { args, options, terminal } = invocation;
  const name = args[0] ?? '';
  return withSession(invocation, 'server', async (session) => {
    await work(session, await usHere(session), name);
    terminal.out(options.flag('json') ? `${JSON.stringify({ schedule: name, done }, null, 2)}\n` : `${name}  ${done}\n`);
    return EXIT.done;
  });
}
