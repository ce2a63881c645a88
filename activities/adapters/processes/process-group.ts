import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { defined } from '../../../plan/defined';
import { errorCode } from '../../../plan/error-code';
import { decodePart } from '../../../plan/text/decode-text';
import type { Mask } from '../../../plan/text/masker';
import type { PrintedBy } from '../../../records/step-logs';
import { edgeBytes, endOf } from '../cut-edge';
import { limitsOf } from './inherited-limits';
import type { OrphanMark } from './orphans';
import { endWithParent, GO_FD } from './parent-death';

/**
 * A process in a group of its own, on this process's lifeline. The caller makes sure that the group is ended: none of it may outlive its
 * work.
 */
export type GroupLeader = ChildProcessWithoutNullStreams;

/** How long a group may take to end after SIGTERM before SIGKILL follows. */
export const GRACE_MS = 1000;
/** How much of stderr is kept: its end, which has the reason. */
export const STDERR_BYTES = 16 * 1024;

export interface GroupCommand {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
  /** Laid over the environment, and a limit. Processes with it are killed if this process dies, in the group or out of it. */
  mark?: Pick<OrphanMark, 'variables' | 'entry'>;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The process, waiting for its start line. Throws, instead of emitting, if a word or the environment contains a NUL character. */
export function startGroup({ argv, env, cwd, mark }: GroupCommand): GroupLeader {
  const [file, args] = endWithParent(argv, mark?.entry, limitsOf(env, mark?.entry));
  return spawn(file, args, {
    env: { ...env, ...mark?.variables },
    detached: true,
    ...defined({ cwd }),
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
}

export function startLeader(child: GroupLeader): void {
  const word = child.stdio[GO_FD];
  if (!word || !('write' in word)) return;
  // If the process is gone already, its exit reports that.
  word.on('error', () => undefined);
  word.end('\n');
}

/** Writes all of its input. A process that does not read it may close it early. */
export function giveInput(child: GroupLeader, input: string | Uint8Array): void {
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
}

/**
 * SIGTERM to the whole group, SIGKILL after the grace time; then the content of the pipes is read, and they are dropped, even if a process
 * still holds them.
 */
export function endGroup(child: GroupLeader): void {
  signalGroup(child, 'SIGTERM');
  const kill = setTimeout(() => {
    signalGroup(child, 'SIGKILL');
    // If the event loop stalled, the group's output is not read yet: it is, before this runs.
    setImmediate(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    });
  }, GRACE_MS);
  child.once('close', () => clearTimeout(kill));
}

export function signalGroup(child: GroupLeader, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: the group is gone, as intended. EPERM: only processes that may not be signalled are left.
    if (!['ESRCH', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** Passes on each piece of both streams. */
export function forwardOutput(child: GroupLeader, onOutput: PrintedBy): void {
  for (const stream of ['stdout', 'stderr'] as const) child[stream].on('data', (chunk: Buffer) => onOutput(stream, chunk));
}

/** The longest byte order mark. */
const MARK_BYTES = 4;

/** The end of its stderr so far, each time it is called. */
export function readEnd(child: GroupLeader, mask?: Mask): () => string {
  const keptBytes = STDERR_BYTES + edgeBytes(mask);
  let [beginning, end] = [Buffer.alloc(0), Buffer.alloc(0)];
  let bytes = 0;
  child.stderr.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (beginning.byteLength < MARK_BYTES) beginning = Buffer.concat([beginning, chunk]).subarray(0, MARK_BYTES);
    end = Buffer.concat([end, chunk]).subarray(-keptBytes);
  });
  return () => {
    const text = decodePart(end, { beginning, offset: bytes - end.byteLength });
    return bytes > end.byteLength ? endOf(text, mask, STDERR_BYTES) : text;
  };
}
