import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { errorCode } from '../../../plan/error-code';
import { limitedBy, PROCESS_MARK } from './inherited-limits';

/**
 * Processes that a program has started outside of its own group: shells of agents' programs begin sessions of their own, and outlive their
 * parents. Each such process has the original beginning of its environment, and the limits under which it was started
 * (`inherited-limits.ts`), so a mark in both finds it, even under another parent, and with an environment of its own. Processes that
 * somebody else starts for it, such as a daemon on its request, are not found, and none is if there is no `/proc`.
 */
export interface OrphanMark {
  /** Variables to lay over the program's environment. */
  variables: Readonly<Record<string, string>>;
  /** Their entry, as `NAME=value`. */
  entry: string;
  /**
   * Kills every process with the mark, and what they start meanwhile; when it resolves, only processes that cannot be killed are left.
   * Never rejects.
   */
  killAll(): Promise<void>;
}

/** Pauses after each look that found one: a process may start another meanwhile, and a killed one exists until its turn comes. */
const PAUSES_MS = [1, 5, 10, 20, 50, 100, 200, 400];
/** Empty looks in a row: a process started during a look may be missed once. */
const EMPTY_LOOKS = 2;

export function newOrphanMark(): OrphanMark {
  const mark = randomUUID();
  const entry = `${PROCESS_MARK}=${mark}`;
  return {
    variables: { [PROCESS_MARK]: mark },
    entry,
    killAll: async () => void (await killMarked(entry)),
  };
}

/**
 * Kills every process that was started with the entry in its environment, and their children. Never rejects. @param entry as `NAME=value`
 *
 * Returns the remaining ones: only those that cannot be killed.
 */
async function killMarked(entry: string): Promise<number[]> {
  return await killWhere(hasMark(entry));
}

/** Kills every process for which `isMeant` holds, looking again until none is left, and returns the remaining ones. */
export async function killWhere(isMeant: (pid: number) => boolean): Promise<number[]> {
  let empty = 0;
  for (const pauseMs of PAUSES_MS) {
    const found = await processesThat(isMeant);
    empty = found.length === 0 ? empty + 1 : 0;
    if (empty === EMPTY_LOOKS) return [];
    for (const pid of found) kill(pid);
    if (found.length > 0) await delay(pauseMs);
  }
  return await processesThat(isMeant);
}

/** Whether a process was started with the entry. */
export function hasMark(entry: string): (pid: number) => boolean {
  const isLimited = limitedBy(entry);
  return (pid) => isLimited(pid) || hasEntry(pid, entry);
}

/** How many are checked without a break: a fraction of a millisecond. */
const LOOKED_AT_ONCE = 50;

async function processesThat(isMeant: (pid: number) => boolean): Promise<number[]> {
  const names = await readdir('/proc').catch((error: unknown) => {
    // There is none, as on macOS.
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const found: number[] = [];
  for (let at = 0; at < pids.length; at += LOOKED_AT_ONCE) {
    if (at > 0) await nextTurn();
    found.push(...pids.slice(at, at + LOOKED_AT_ONCE).filter((pid) => pid !== process.pid && isMeant(pid)));
  }
  return found;
}

/**
 * Unknown for another user's process, and for one that is gone. Read synchronously: these files are not on a disk, and passing each to
 * another thread costs five times the read.
 */
function hasEntry(pid: number, entry: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}\0`.includes(`\0${entry}\0`);
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
  }
}
