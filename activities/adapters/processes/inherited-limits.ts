import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { identifyProcess } from '../../../records/locks/process-identity';

/**
 * Marks that a process cannot shed together with its environment, its session, its folder and its open files: limits, which its child
 * processes inherit. The two used here, of file locks and of resident memory, have not been enforced by Linux since 2.4.30, and each
 * process may lower them. Everybody can read them in `/proc`.
 *
 * A process may lower its hard limits further, or its parent may have: then the environment alone is its mark, if it has one, and else only
 * that it has lowered them. On other systems than Linux both limits have a meaning, and are left alone.
 */
type Limit = 'locks' | 'memory';

/** The variable that marks processes started for one piece of work. */
export const PROCESS_MARK = 'THERMIDOR_PROCESS_MARK';
/** Mark all that runs in a worktree, and the steps that work there. */
export const WORKTREE_MARK = 'THERMIDOR_WORKTREE';
export const WORKTREE_STEP_MARK = 'THERMIDOR_WORKTREE_STEP';

/** Limits in the form of `ulimit`. */
export type Limits = Readonly<Record<Limit, string>>;

/** The limits of a process started with these entries of the environment; empty if it has none. */
export function limitsOf(env: Readonly<Record<string, string>>, entry?: string): Limits {
  const isLinux = process.platform === 'linux';
  const name = [WORKTREE_STEP_MARK, WORKTREE_MARK].find((mark) => env[mark] !== undefined);
  return {
    locks: isLinux && entry !== undefined ? String(numberOf(entry)) : '',
    memory: isLinux && name !== undefined ? String(numberOf(`${name}=${env[name]}`)) : '',
  };
}

/**
 * Whether a process has the limits that `limitsOf` gives for an entry. Unknown for a process that is gone, and false for one that has
 * ended, although it has its limits until it is reaped.
 */
export function limitedBy(entry: string): (pid: number) => boolean {
  const line = entry.startsWith(`${PROCESS_MARK}=`)
    ? new RegExp(`^Max file locks +${SOFT}${numberOf(entry)} `, 'm')
    : new RegExp(`^Max resident set +${SOFT}${BigInt(numberOf(entry)) * KIB} `, 'm');
  return (pid) => {
    try {
      return line.test(readFileSync(`/proc/${pid}/limits`, 'latin1')) && identifyProcess(pid) !== undefined;
    } catch {
      return false;
    }
  };
}

/**
 * Whether a process is one of those that `limitedBy` finds in worktrees, or was started by one, and has lowered its hard limit since:
 * nobody raises it again, and where this process has none, nothing else that runs here has one either. Whose it is, it does not say.
 */
export function hasLoweredLimit(pid: number): boolean {
  const limit = memoryLimitOf(pid);
  return (
    limit !== undefined && limit < BigInt(LEAST) * KIB && memoryLimitOf(process.pid) === undefined && identifyProcess(pid) !== undefined
  );
}

/** The hard limit, in bytes; undefined if there is none, or if nothing is known. */
function memoryLimitOf(pid: number): bigint | undefined {
  try {
    const hard = /^Max resident set +\S+ +(\d+) /m.exec(readFileSync(`/proc/${pid}/limits`, 'latin1'))?.[1];
    return hard === undefined ? undefined : BigInt(hard);
  } catch {
    return undefined;
  }
}

/** Before the hard limit: that one stays where a process lowers the other for itself. */
const SOFT = '(?:\\S+ +)?';

/** `ulimit` counts memory in them. */
const KIB = 1024n;

/** More than any machine has, so it limits nobody. */
const LEAST = 2 ** 48;

function numberOf(entry: string): number {
  return LEAST + createHash('sha256').update(entry).digest().readUIntBE(0, 6);
}
