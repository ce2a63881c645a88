import type { UnservedQueue } from '../../client/unserved-queues';
import { shortQueue, unservedQueue } from '../../client/unserved-queues';
import type { SkewNotice } from '../../client/version-skew';
import type { FleetWorker } from '../../client/workers';
import { shortBuild } from '../../plan/run/deployment';
import type { DrainedHost } from '../../records/drained-hosts';
import type { Terminal } from '../terminal';
import { oneLine } from './text/printable';
import { renderTable } from './text/table';
import { elapsed, localTime } from './text/time';

/** What a fleet looks like now. */
export interface FleetView {
  taskQueue: string;
  workers: readonly FleetWorker[];
  unserved: readonly UnservedQueue[];
  /** Absent: the store does not say. */
  drained?: readonly DrainedHost[];
  /** Workers of versions that get no work, and versions without workers. */
  skew: readonly SkewNotice[];
}

const HEADERS = ['HOST', 'WORKER', 'STATE', 'HEARTBEAT', 'SLOTS', 'CPU', 'MEMORY', 'VERSION', 'QUEUES'];

export function renderFleet(
  { taskQueue, workers, unserved, drained = [], skew }: FleetView,
  now: number,
  place: Pick<Terminal, 'colors' | 'live' | 'columns'>,
): string {
  const { colors } = place;
  const rows = workers.map((worker) => {
    const { identity, host, heartbeatAt, slots, cpu, memory, build, sdk, queues } = worker;
    const age = `${elapsed(heartbeatAt, undefined, now)} ago`;
    return [
      host,
      identity.replace(/@[^@]*$/, ''),
      stateOf(worker),
      worker.silent ? colors.yellow(age) : age,
      slots === undefined ? '–' : `${slots.used}/${slots.used + slots.free}`,
      percent(cpu),
      percent(memory),
      [build && shortBuild(build).slice(0, BUILD_SHOWN), sdk].filter((part) => part !== undefined).join(', '),
      queues.map((queue) => shortQueue(taskQueue, queue)).join(', '),
    ];
  });
  const table = rows.length === 0 ? '' : renderTable(HEADERS, rows, place);
  const lines = unserved.map(({ queue, runs, ...idle }) => {
    const { text, who } = unservedQueue(taskQueue, queue, idle);
    const waiting = runs.length === 0 ? '' : `; waiting: ${namedRuns(runs)}`;
    return `${colors.yellow('!')} ${text}${waiting}\n  ${colors.cyan('hint:')} ${who.replace(/^.*?: /, '')}\n`;
  });
  const held = drained.map(({ host, by, since }) => `${host} is drained by ${oneLine(by)} since ${localTime(since)}\n`);
  return [table, held.join(''), skewLines(skew, colors), lines.join('')].filter((part) => part !== '').join('\n');
}

export function skewLines(skew: readonly SkewNotice[], colors: Terminal['colors']): string {
  return skew.map(({ text, hint }) => `${colors.yellow('!')} ${oneLine(text)}\n  ${colors.cyan('hint:')} ${hint}\n`).join('');
}

const BUILD_SHOWN = 12;
const RUNS_NAMED = 3;

function stateOf({ silent, stopping }: FleetWorker): string {
  return stopping ? 'stopping' : silent ? 'silent' : 'working';
}

function percent(share: number | undefined): string {
  return share === undefined ? '' : `${Math.round(share * 100)} %`;
}

export function namedRuns(runs: readonly string[]): string {
  const more = runs.length - RUNS_NAMED;
  return `${runs.slice(0, RUNS_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
