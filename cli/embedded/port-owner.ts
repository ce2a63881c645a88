import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { errorCode } from '../../plan/error-code';

/**
 * Whether a program that was just started listens at a port, or another one that took the port first.
 *
 * A process counts with its group, as the program may be started by a script. Only Linux shows this (`/proc`): elsewhere the result is
 * undefined, as it is if a process may not be inspected, or if nobody is seen at the port: systems that resemble Linux have the tables but
 * leave them empty.
 */
export function groupListensAt(leader: number, port: number): boolean | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const sockets = new Set([...listenersIn('/proc/net/tcp', port), ...listenersIn('/proc/net/tcp6', port)]);
    if (sockets.size === 0) return undefined;
    return hasOneOf(leader, sockets) || groupOf(leader).some((pid) => hasOneOf(pid, sockets));
  } catch {
    // There is no such folder, or we may not read it.
    return undefined;
  }
}

const LISTENS = '0A';

/** Sockets, as `socket:[inode]`, that listen at the port at any address. Fields: number, local address, remote address, state, …, inode. */
function listenersIn(table: string, port: number): string[] {
  // Without IPv6 there is no table for it.
  const rows = unlessGone(() => readFileSync(table, 'utf8'), '')
    .trim()
    .split('\n')
    .slice(1);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
    const at = Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16);
    return state === LISTENS && at === port ? [`socket:[${inode}]`] : [];
  });
}

function hasOneOf(pid: number, sockets: ReadonlySet<string>): boolean {
  return unlessGone(() => readdirSync(`/proc/${pid}/fd`), []).some((fd) =>
    sockets.has(unlessGone(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '')),
  );
}

function groupOf(leader: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => pid !== leader && groupIn(unlessGone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')) === leader);
}

/** proc(5): the group is the third field after the command, which is in brackets and may hold anything. */
function groupIn(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}

/** Processes end and files are closed while they are looked at. */
function unlessGone<T>(look: () => T, gone: T): T {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '')) return gone;
    throw error;
  }
}
