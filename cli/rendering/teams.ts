import type { MemberStatus } from '../../plan/board/member';
import type { Terminal } from '../terminal';
import { renderTable } from './text/table';
import { localTime } from './text/time';

export interface ListedTeam {
  team: string;
  /** That of its run, `stopping`, `stopped` or `not started`. */
  state: string;
  run?: string;
  startedAt?: string;
  members?: { name: string; status: MemberStatus }[];
  tasks?: { completed: number; total: number };
  file?: string;
}

/** A line for each team: who works, and how much is done. */
export function renderTeams(teams: readonly ListedTeam[], terminal: Pick<Terminal, 'colors' | 'columns' | 'live'>): string {
  const rows = teams.map(({ team, state, startedAt, members, tasks, file }) => [
    team,
    state === 'running' ? terminal.colors.green(state) : state,
    startedAt === undefined ? '' : localTime(startedAt),
    members === undefined ? '' : memberWords(members),
    tasks === undefined ? '' : `${tasks.completed} of ${tasks.total} completed`,
    file ?? '',
  ]);
  return renderTable(['TEAM', 'STATE', 'STARTED', 'MEMBERS', 'TASKS', 'FILE'], rows, terminal);
}

/** `3: 2 working, 1 idle` */
function memberWords(members: NonNullable<ListedTeam['members']>): string {
  const statuses = [...new Set(members.map(({ status }) => status))];
  const counts = statuses.map((status) => `${members.filter((one) => one.status === status).length} ${STATUS[status]}`);
  return `${members.length}: ${counts.join(', ')}`;
}

const STATUS: Readonly<Record<MemberStatus, string>> = { working: 'working', idle: 'idle', shutdown: 'shut down', failed: 'failed' };
