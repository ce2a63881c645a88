import type { TriggerState } from '../../client/apply-schedules';
import type { ScheduleRecord } from '../../client/schedule-record';
import type { OwnedSchedule } from '../../client/schedules';
import type { Terminal } from '../terminal';
import { runStateText } from './states';
import { oneLine } from './text/printable';
import { renderTable } from './text/table';
import { timeIn } from './text/time';

/** A schedule with how its last runs ended. */
export interface ShownSchedule extends Omit<OwnedSchedule, 'record'>, Partial<ScheduleRecord> {
  /** How many workers take its runs' work. */
  workers?: number;
  /** How its trigger in a file here relates to it. Absent: no file here has it. */
  trigger?: TriggerState['state'];
  /** Where deliveries for a web hook are sent. Absent: it is a schedule of times. */
  deliveries?: string;
}

/** Times are in the schedule's own time zone. */
export function renderSchedules(schedules: readonly ShownSchedule[], terminal: Terminal): string {
  const { colors } = terminal;
  const rows = schedules.map((one) => {
    const { schedule, paused, note, timezone, next, deliveries, lastRuns: [last] = [] } = one;
    return [
      schedule,
      paused ? colors.yellow('paused') : colors.green('active'),
      deliveries === undefined ? (next === undefined ? '' : timeIn(next, timezone)) : `POST ${deliveries}`,
      deliveries === undefined ? timezone : '',
      ownerOf(one),
      last?.run ?? '',
      last ? (last.state === undefined ? 'forgotten' : runStateText(last.state, colors)) : '',
      leftOut(one),
      one.workers === undefined ? '' : one.workers === 0 ? colors.yellow('nobody') : String(one.workers),
      one.trigger === 'differs' ? colors.yellow('differs') : one.trigger === 'applied' ? 'applied' : '',
      oneLine(note ?? ''),
    ];
  });
  const heads = ['SCHEDULE', 'STATE', 'NEXT', 'TIME ZONE', 'OWNER', 'LAST RUN', 'ENDED', 'LEFT OUT', 'WORKERS', 'FILE', 'NOTE'];
  return renderTable(heads, rows, terminal);
}

export function renderSchedule(one: ShownSchedule, terminal: Terminal): string {
  const { colors } = terminal;
  const { schedule, paused, note, timezone, taskQueue, workers, nextRuns = [], lastRuns = [], counts, waiting = 0 } = one;
  const state = paused ? colors.yellow('paused') : colors.green('active');
  const lines = [`${colors.bold(schedule)}  ${state}${note === undefined ? '' : `  ${oneLine(note)}`}`];
  const fact = (name: string, value: string): void => void lines.push(`  ${colors.dim(`${name}:`)} ${value}`);
  if (one.deliveries === undefined) fact('time zone', timezone);
  fact('owner', ownerOf(one));
  fact(
    'task queue',
    `${oneLine(taskQueue)}, ${workers === undefined || workers === 0 ? colors.yellow('nobody works on it') : `${workers} at work`}`,
  );
  fact('file', one.trigger === undefined ? 'no trigger here has it' : FILE[one.trigger]);
  if (one.deliveries !== undefined) {
    fact('deliveries', `POST ${one.deliveries}`);
    return `${lines.join('\n')}\n`;
  }
  if (counts) fact('started', `${counts.started}${leftOut(one) === '' ? '' : `; left out: ${leftOut(one)}`}`);
  if (waiting > 0) fact('waiting', `${waiting} for the run before them`);
  lines.push(paused ? 'next, once it is unpaused' : 'next');
  for (const at of nextRuns) lines.push(`  ${timeIn(at, timezone)}`);
  if (nextRuns.length === 0) lines.push('  never: no date fits');
  if (lastRuns.length > 0) lines.push('last');
  const rows = lastRuns.map(({ run, scheduledAt, state: ended }) => [
    `  ${timeIn(scheduledAt, timezone)}`,
    run,
    ended === undefined ? 'forgotten' : runStateText(ended, colors),
  ]);
  return `${lines.join('\n')}\n${rows.map((row) => `${row.join('  ')}\n`).join('')}`;
}

const FILE: Readonly<Record<TriggerState['state'], string>> = {
  applied: 'applied',
  differs: 'changed since `schedule apply`',
  'not-applied': 'not applied',
  'of-others': 'the schedule belongs to another installation',
};

function ownerOf({ belongs, owner, taskQueue }: ShownSchedule): string {
  if (belongs === 'ours') return 'here';
  return belongs === 'free' ? 'nobody' : oneLine(`${owner?.slice(0, 8) ?? ''} ${taskQueue}`.trim());
}

/** `3 missed, 1 skipped`. */
function leftOut({ counts }: ShownSchedule): string {
  const { missed = 0, skipped = 0, dropped = 0 } = counts ?? {};
  return Object.entries({ missed, skipped, dropped })
    .flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
    .join(', ');
}
