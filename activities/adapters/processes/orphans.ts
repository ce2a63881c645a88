import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { errorCode } from '../../../plan/error-code';

/**
 * Processes that a program has started outside of its own group: shells of agents' programs begin sessions of their own, and outlive their
 * parents. Each such process has what its environment began with, so a mark there finds it, even under another parent. A process with
 * another environment is not found, nor is any process where there is no `/proc`.
 */
export interface OrphanMark {
  /** To be laid over the program's environment. */
  variables: Readonly<Record<string, string>>;
  /** What is there then, as `NAME=value`. */
  entry: string;
  /** Kills every process with the mark, and what they start meanwhile; none is left when it resolves but one that cannot be killed. Never rejects. */
  killAll(): Promise<void>;
}

const NAME = 'THERMIDOR_PROCESS_MARK';
/** Behind each look that found one: a process may start another meanwhile, and one that is killed is there until its turn comes. */
const PAUSES_MS = [1, 5, 10, 20, 50, 100, 200, 400];

export function newOrphanMark(): OrphanMark {
  const mark = randomUUID();
  const entry = `${NAME}=${mark}`;
  return {
    variables: { [NAME]: mark },
    entry,
    killAll: async () => void (await killMarked(entry)),
  };
}

/**
 * Kills every process whose environment began with the entry, and what they start meanwhile. Never rejects. @param entry as `NAME=value`
 *
 * Answers with those that are left: none, but for one that cannot be killed.
 */
export async function killMarked(entry: string): Promise<number[]> {
  for (const pauseMs of PAUSES_MS) {
    const found = await marked(entry);
    if (found.length === 0) return [];
    for (const pid of found) kill(pid);
    await delay(pauseMs);
  }
  return await marked(entry);
}

/** Looked at without a break: a fraction of a millisecond. */
const LOOKED_AT_ONCE = 50;

async function marked(entry: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const found: number[] = [];
  for (let at = 0; at < pids.length; at += LOOKED_AT_ONCE) {
    if (at > 0) await nextTurn();
    found.push(...pids.slice(at, at + LOOKED_AT_ONCE).filter((pid) => pid !== process.pid && hasEntry(pid, entry)));
  }
  return found;
}

/**
 * Of another user's process, and of one that is gone, nothing is known. Read without waiting: these files are not on a disk, and handing each to
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
