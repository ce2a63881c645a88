import type { FleetVersions } from '../../client/fleet-versions';
import { shortQueue } from '../../client/unserved-queues';
import { shortBuild } from '../../plan/run/deployment';
import type { Terminal } from '../terminal';
import { renderTable } from './text/table';
import { localTime } from './text/time';

const HEADERS = ['VERSION', 'STATE', 'OPEN RUNS', 'SINCE', 'WORKERS', 'QUEUES'];

/** The versions of a fleet, the newest first. */
export function renderVersions(
  { versions, current, ramping }: Omit<FleetVersions, 'conflictToken'>,
  taskQueue: string,
  place: Pick<Terminal, 'colors' | 'live' | 'columns'>,
): string {
  const rows = versions.map(({ build, state, openRuns, since, workers, queues }) => [
    shortBuild(build),
    ramping?.build === build ? `${ramping.percent} %` : state,
    String(openRuns),
    localTime(since),
    workers.join(', ') || 'none',
    queues.map((queue) => shortQueue(taskQueue, queue)).join(', '),
  ]);
  const none =
    current === undefined ? `${place.colors.yellow('!')} no version is current: only workers with versions: off take runs\n` : '';
  return renderTable(HEADERS, rows, place) + none;
}
