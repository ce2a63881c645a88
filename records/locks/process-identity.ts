import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { errorCode, isShortOfFiles } from '../../plan/error-code';
import { field } from '../../plan/text/json';

/**
 * Names a process forever: its id and its start, because ids are reused.
 *
 * Invariants: 1. a mark never matches a later process of the same id, not even after a reboot; 2. a process that has ended but that nobody
 * reaped (a zombie, usual in containers without an init) counts as ended; 3. one that is ending counts as running until its last thread is
 * gone: until then its ports and its files are taken.
 */
export interface ProcessIdentity {
  pid: number;
  /** Opaque; comparable only on the same machine. Empty if the system does not report it. */
  began: string;
}

/** The mark of a process that is running now, or undefined. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const began = beginningOf(pid);
  return began === undefined ? undefined : { pid, began };
}

/** This process's own mark. */
export function identifySelf(): ProcessIdentity {
  return identifyProcess(process.pid) ?? { pid: process.pid, began: '' };
}

export function isRunning(mark: ProcessIdentity): boolean {
  const began = beginningOf(mark.pid);
  return began !== undefined && (mark.began === '' || began === mark.began);
}

export function isProcessIdentity(value: unknown): value is ProcessIdentity {
  return Number.isSafeInteger(field(value, 'pid')) && typeof field(value, 'began') === 'string';
}

function beginningOf(pid: number): string | undefined {
  // Signalling 0 or a negative id would reach a whole process group.
  if (pid <= 0) return undefined;
  if (process.platform === 'linux') return beginningFromProc(pid);
  if (process.platform === 'win32') return answersSignals(pid) ? '' : undefined;
  return beginningFromPs(pid);
}

function beginningFromProc(pid: number): string | undefined {
  try {
    const ticks = beginningIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    // Ticks count from boot, so the boot id is included.
    return ticks === undefined ? undefined : `${ticks}@${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  } catch (error) {
    // A process that cannot be looked at for want of files of our own may be running: its locks are not free.
    if (isShortOfFiles(error)) throw error;
    return undefined;
  }
}

/**
 * When a process began, by its `/proc/PID/stat`; undefined if it has ended.
 *
 * proc(5): the second field is the command in brackets and may contain anything; state is the third, the number of threads the 20th, start
 * time the 22nd. The state is the first thread's: in a killed process it may be gone while others still run.
 */
export function beginningIn(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, threads] = [fields[0], Number(fields[17])];
  return state === 'X' || (state === 'Z' && threads <= 1) ? undefined : fields[19];
}

function beginningFromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [state = '', ...began] = line.split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : began.join(' ');
  } catch {
    return undefined;
  }
}

function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // One that we may not signal is running.
    return errorCode(error) === 'EPERM';
  }
}
