import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Mask } from '../../../plan/text/masker';
import { ending } from '../../../plan/text/shortened';
import { edgeBytes, endOf } from '../cut-edge';
import { newOrphanMark } from '../processes/orphans';
import { type GroupLeader, signalGroup, startGroup, startLeader } from '../processes/process-group';

/** How long a server may take to end by itself once its input has ended, then after SIGTERM, then after SIGKILL: under 2 s in all. */
const POLITE_MS = 300;
const TERM_MS = 700;
const KILL_MS = 500;
const LOOK_EVERY_MS = 20;
/** How much of stderr is kept: its end, which has the reason. */
const STDERR_CHARACTERS = 2000;
const LOGGED_LINES = 100;

/** A server as a process in a group of its own, on a lifeline: it ends with this process, however that ends. */
export interface ServerProcess {
  stdin: Writable;
  stdout: Readable;
  /** Resolves with how it ended, in words; its output is read by then, or dropped. */
  ended: Promise<string>;
  /**
   * When it resolves, nothing that the server started is left, except what cannot be killed or found (`processes/orphans.ts`). May be
   * called again.
   */
  end(): Promise<void>;
}

export interface ProcessRequest {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  log(line: string): void;
  /** Takes secrets out of what is cut, before it is cut. */
  mask: Mask;
}

/**
 * Starts the server; throws if a word holds a NUL character. A program that is not there ends with exit code 127; a missing folder rejects
 * `ended`.
 */
export function startServerProcess({ argv, cwd, env, log, mask }: ProcessRequest): ServerProcess {
  const mark = newOrphanMark();
  const child = startGroup({ argv, env, cwd, mark });
  const lastWords = readErrors(child, log, mask);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`it cannot be started: ${error.message}`));
    child.once('close', (code, signal) => resolve(howItEnded(code, signal, lastWords())));
  });
  // Writing to an ended server fails; `ended` reports that.
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  startLeader(child);
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= endGroup(child).then(mark.killAll);
    return ending;
  };
  // Its remaining processes are ended with it.
  child.once('exit', end);
  return { stdin: child.stdin, stdout: child.stdout, ended, end };
}

function howItEnded(code: number | null, signal: string | null, words: string): string {
  const how = code === null ? `it was ended by ${signal ?? 'a signal'}` : `it ended with exit code ${code}`;
  return words === '' ? how : `${how}: ${words}`;
}

/** Logs the first lines, and keeps the end of it all. */
function readErrors(child: GroupLeader, log: (line: string) => void, mask: Mask): () => string {
  const keptCharacters = STDERR_CHARACTERS + edgeBytes(mask);
  let end = '';
  let isCut = false;
  let rest = '';
  let logged = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    isCut ||= end.length + text.length > keptCharacters;
    end = (end + text).slice(-keptCharacters);
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(0, keptCharacters);
    for (const line of lines.filter((one) => one.trim() !== '').slice(0, Math.max(0, LOGGED_LINES - logged))) {
      log(line);
      logged += 1;
      if (logged === LOGGED_LINES) log('(what else it says on stderr is not logged)');
    }
  });
  const words = () => (isCut ? endOf(end, mask, STDERR_CHARACTERS) : ending(mask(end), STDERR_CHARACTERS));
  return () => words().trim().split('\n').slice(-3).join('\n');
}

/**
 * Ends the server as servers expect it: the end of their input, then SIGTERM, then SIGKILL; and the pipes are dropped, even if a process
 * still holds them.
 */
async function endGroup(child: GroupLeader): Promise<void> {
  child.stdin.end();
  const ended = await within(POLITE_MS, () => hasEnded(child));
  signalGroup(child, 'SIGTERM');
  if (!ended) await within(TERM_MS, () => hasEnded(child));
  // The rest of the group had its SIGTERM too; it gets a little time to react.
  if (!(await within(POLITE_MS, () => isEmpty(child)))) signalGroup(child, 'SIGKILL');
  if (!hasEnded(child)) await within(KILL_MS, () => hasEnded(child));
  child.stdout.destroy();
  child.stderr.destroy();
}

function hasEnded({ pid, exitCode, signalCode }: GroupLeader): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

async function within(ms: number, done: () => boolean): Promise<boolean> {
  for (let leftMs = ms; leftMs > 0; leftMs -= LOOK_EVERY_MS) {
    if (done()) return true;
    await delay(LOOK_EVERY_MS);
  }
  return done();
}

function isEmpty({ pid }: GroupLeader): boolean {
  try {
    return pid === undefined || !process.kill(-pid, 0);
  } catch {
    // The rest of it, if any, may not be signalled either.
    return true;
  }
}
