import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '../../plan/error-code';
import { STATE_FILE_MODE } from '../../plan/run/state-file-modes';
import { field } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import { identifySelf, isProcessIdentity, isRunning, type ProcessIdentity } from './process-identity';

/**
 * A mutex between processes of one machine, held by a file.
 *
 * The file appears with its content, by a hard link, so that it always says who holds it. A holder that died is succeeded
 * through a second link, `<lock>.after-<id>`: its creator is heir of that holder, and an heir that dies has an heir.
 *
 * Invariants: 1. at most one process is inside; 2. only the last living heir ever replaces a dead holder's file, and only
 * after seeing, as heir, that the file is still the dead one's; 3. a live holder is never robbed, however slow it is.
 */
const POLL_MS = 20;
/** The id is used in file names. */
const HOLDER_ID = /^[0-9a-f]{16}$/;

interface Holder {
  id: string;
  process: ProcessIdentity;
}

export interface LockOptions {
  /** Longest wait for a holder that lives. @default 120000 */
  patienceMs?: number;
  /** Ends the wait. */
  signal?: AbortSignal;
}

/** A live process keeps the lock for longer than the patience. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';
  constructor(
    readonly path: string,
    readonly patienceMs: number,
    readonly pid: number | undefined,
  ) {
    super(`process ${pid ?? 'unknown'} has kept ${path} locked for ${Math.round(patienceMs / 1000)} s`);
  }
}

/**
 * Runs `work` inside. Fails with `LockHeld`, with a file system error, or with the signal's reason; in that case `work` did not run.
 *
 * @param work can ask whether the file still is what was written: it is not if somebody took its folder away
 */
export async function withFileLock<T>(path: string, work: (isHeld: () => boolean) => Promise<T>, options: LockOptions = {}): Promise<T> {
  const holder: Holder = { id: randomBytes(8).toString('hex'), process: identifySelf() };
  await enter(path, holder, options);
  const isHeld = (): boolean => readHolder(path)?.id === holder.id;
  try {
    return await work(isHeld);
  } finally {
    // If its folder was taken away, the file there now is another's.
    if (isHeld()) rmSync(path, { force: true });
  }
}

async function enter(path: string, holder: Holder, { patienceMs = 120_000, signal }: LockOptions): Promise<void> {
  const deadline = Date.now() + patienceMs;
  signal?.throwIfAborted();
  while (!tryEnter(path, holder)) {
    if (Date.now() > deadline) throw new LockHeld(path, patienceMs, lineOfHeirs(path).at(-1)?.process.pid);
    await pause(POLL_MS);
    signal?.throwIfAborted();
  }
}

function tryEnter(path: string, holder: Holder): boolean {
  const line = lineOfHeirs(path);
  const last = line.at(-1);
  if (last !== undefined && isRunning(last.process)) return false;
  const draft = `${path}.${holder.id}.tmp`;
  try {
    writeFileSync(draft, JSON.stringify(holder), { mode: STATE_FILE_MODE });
    return last === undefined ? link(draft, path) : succeed(path, line, heirPath(path, last), draft);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Becomes heir of the dead, at `place`, and takes the lock over if it is still theirs. */
function succeed(path: string, line: readonly Holder[], place: string, draft: string): boolean {
  if (!link(draft, place)) return false;
  const now = lineOfHeirs(path);
  if (line.some((dead, i) => now[i]?.id !== dead.id)) {
    rmSync(place, { force: true });
    return false;
  }
  renameSync(draft, path);
  for (const dead of line) rmSync(heirPath(path, dead), { force: true });
  return true;
}

/** The holder that the file names and its heirs, oldest first; empty if there is no lock. */
function lineOfHeirs(path: string): Holder[] {
  const line: Holder[] = [];
  for (let holder = readHolder(path); holder !== undefined; holder = readHolder(heirPath(path, holder))) line.push(holder);
  return line;
}

function heirPath(path: string, holder: Holder): string {
  return `${path}.after-${holder.id}`;
}

/**
 * The holder in a lock file. Ours appear complete, so anything else (as a power cut leaves it) is a dead holder's; its id is made from the
 * content. The file is read once: a lock that is given back meanwhile counts as none, and not as a dead holder's.
 */
function readHolder(path: string): Holder | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  const value = jsonIn(text);
  const [said, process] = [field(value, 'id'), field(value, 'process')];
  if (typeof said === 'string' && HOLDER_ID.test(said) && isProcessIdentity(process)) return { id: said, process };
  const id = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return { id, process: { pid: 0, began: '' } };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : '';
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
