import type { Us } from '../../client/schedule-owner';
import {
  deleteSchedule,
  listOwnedSchedules,
  type OwnedSchedule,
  pauseSchedule,
  triggerSchedule,
  unpauseSchedule,
} from '../../client/schedules';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { renderEmpty } from '../rendering/text/empty';
import { oneLine } from '../rendering/text/printable';
import { renderTable } from '../rendering/text/table';
import { timeIn } from '../rendering/text/time';
import { ifNothingHasRun } from '../session/nothing-has-run';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import { givenFlags } from '../settings/given-flags';
import type { Terminal } from '../terminal';
import { printStale, staleTriggers, wantedTriggers } from '../triggers/trigger-news';
import { usHere } from '../triggers/us';

/** Commands on Temporal Schedules: all of these except `list` work on those of this installation, and on those that have no owner. */

export function list(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const shown = withSession(invocation, 'server', async (session) => {
    const { client, configuration } = session;
    const schedules = await listOwnedSchedules(client, await usHere(session));
    const stale = await staleTriggers(session, wantedTriggers(configuration, terminal.cwd));
    if (options.flag('json')) terminal.out(`${JSON.stringify({ schedules, triggers: stale }, null, 2)}\n`);
    else if (schedules.length === 0)
      terminal.err(renderEmpty('no schedules', 'make one for each `trigger:` with', 'schedule apply', givenFlags(configuration)));
    else terminal.out(table(schedules, terminal));
    if (!options.flag('json')) printStale(stale, terminal);
    return EXIT.done;
  });
  return ifNothingHasRun(shown, (why) => {
    terminal.err(why);
    if (options.flag('json')) terminal.out(`${JSON.stringify({ schedules: [], triggers: [] }, null, 2)}\n`);
    return EXIT.done;
  });
}

/** Times are in the schedule's own time zone. */
function table(schedules: readonly OwnedSchedule[], terminal: Terminal): string {
  const { colors } = terminal;
  const rows = schedules.map(({ schedule, paused, note, timezone, next, lastRun, belongs, owner, taskQueue }) => [
    schedule,
    paused ? colors.yellow('paused') : colors.green('active'),
    next === undefined ? '' : timeIn(next, timezone),
    timezone,
    belongs === 'ours' ? 'here' : belongs === 'free' ? 'nobody' : oneLine(`${owner?.slice(0, 8) ?? ''} ${taskQueue}`.trim()),
    lastRun ?? '',
    oneLine(note ?? ''),
  ]);
  return renderTable(['SCHEDULE', 'STATE', 'NEXT', 'TIME ZONE', 'OWNER', 'LAST RUN', 'NOTE'], rows, terminal);
}

export const trigger = (invocation: Invocation): Promise<number> =>
  change(invocation, 'triggered', async (session, us, name) => {
    await triggerSchedule(session.client, us, name);
    if (session.served === 'nowhere') invocation.terminal.err('The run needs a worker to continue: thermidor up.\n');
  });

export const pause = (invocation: Invocation): Promise<number> =>
  change(invocation, 'paused', ({ client }, us, name) => pauseSchedule(client, us, name, reason(invocation, 'paused by an operator')));

export const unpause = (invocation: Invocation): Promise<number> =>
  change(invocation, 'unpaused', ({ client }, us, name) =>
    unpauseSchedule(client, us, name, reason(invocation, 'unpaused by an operator')),
  );

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
