import { ThermidorFailure } from '../../../plan/run/failure';
import type { Mask } from '../../../plan/text/masker';
import type { PrintedBy } from '../../../records/step-logs';
import { newOrphanMark } from '../processes/orphans';
import {
  type Exit,
  endGroup,
  forwardOutput,
  GRACE_MS,
  type GroupCommand,
  type GroupLeader,
  giveInput,
  readEnd,
  signalGroup,
  startGroup,
  startLeader,
} from '../processes/process-group';
import { programOutputTooLarge } from './program-output';
import { asUtf8 } from './utf8-stream';

/** A program whose output is read while it runs. */
export interface RunningProgram {
  /** Its output, until it has ended. Rejects with the signal's reason, or `output.too-large`. May be read once. */
  output(): AsyncGenerator<Buffer>;
  /** The end of its stderr so far. */
  stderr(): string;
  /** Calls with each piece of its stderr. */
  onStderr(listener: () => void): void;
  /** Settles once nothing of it is left. */
  ended: Promise<Exit>;
  /** Ends the rest of it, and waits for that. */
  end(): Promise<Exit>;
}

/** The limit of all its output. */
const STREAM_BYTES = 256 * 1024 * 1024;
/** How much may wait to be read before the program has to wait. */
const WAITING_BYTES = 1024 * 1024;

/**
 * Starts a program in a group of its own, without a terminal.
 *
 * Invariants: 1. the signal ends the group at once, SIGKILL follows within the grace time; if this process dies, all of it is killed;
 * 2. remaining processes are ended after it, in its group or out of it, and their output is awaited for no longer than the grace time; 3.
 * unread output is bounded.
 */
export function startProgram(
  command: GroupCommand & { stdin: string; onOutput?: PrintedBy; mask?: Mask },
  signal: AbortSignal,
): RunningProgram {
  signal.throwIfAborted();
  const mark = newOrphanMark();
  const child = start({ ...command, mark });
  const ended = exitOf(child).finally(mark.killAll);
  // The caller that awaits it gets the error.
  ended.catch(() => undefined);
  if (command.onOutput) forwardOutput(child, command.onOutput);
  const stderr = readEnd(child, command.mask);
  const read = reader(child, signal);
  let closed = false;
  const stop = () => {
    // The number of an ended process may belong to another process by now.
    if (!closed) endGroup(child);
  };
  signal.addEventListener('abort', stop, { once: true });
  child.once('close', () => {
    closed = true;
    signal.removeEventListener('abort', stop);
  });
  giveInput(child, command.stdin);
  startLeader(child);
  return {
    output: () => asUtf8(read(), (problem) => command.onOutput?.('note', Buffer.from(`thermidor: the program's output ${problem}\n`))),
    stderr,
    onStderr: (listener) => void child.stderr.on('data', listener),
    ended,
    async end() {
      stop();
      return await ended;
    },
  };
}

function start(command: GroupCommand): GroupLeader {
  try {
    return startGroup(command);
  } catch (error) {
    throw cannotStart(error);
  }
}

function cannotStart(error: unknown): ThermidorFailure {
  const why = error instanceof Error ? error.message : String(error);
  return new ThermidorFailure('adapter.unavailable', `the agent's program cannot be started: ${why}`);
}

function exitOf(child: GroupLeader): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(cannotStart(error)));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

function reader(child: GroupLeader, signal: AbortSignal): () => AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let [waitingBytes, allBytes] = [0, 0];
  let [over, left, late] = [false, false, false];
  let wake: () => void = () => undefined;
  const { stdout } = child;
  stdout.on('data', (chunk: Buffer) => {
    allBytes += chunk.byteLength;
    waitingBytes += chunk.byteLength;
    waiting.push(chunk);
    // Everything that the program wrote before its end is read.
    if (!left && waitingBytes > WAITING_BYTES) stdout.pause();
    wake();
  });
  child.once('exit', () => {
    left = true;
    stdout.resume();
    signalGroup(child, 'SIGTERM');
    const kill = setTimeout(() => {
      signalGroup(child, 'SIGKILL');
      // Available output is read first, even if this process had no turn for that long.
      setImmediate(() => {
        late = true;
        wake();
      });
    }, GRACE_MS);
    child.once('close', () => clearTimeout(kill));
  });
  const end = () => {
    over = true;
    wake();
  };
  child.once('close', end);
  child.once('error', end);
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  child.once('close', () => signal.removeEventListener('abort', onAbort));
  return async function* () {
    for (;;) {
      signal.throwIfAborted();
      if (allBytes > STREAM_BYTES) throw programOutputTooLarge('a stream', STREAM_BYTES);
      const chunk = waiting.shift();
      if (chunk) {
        waitingBytes -= chunk.byteLength;
        if (waitingBytes <= WAITING_BYTES) stdout.resume();
        yield chunk;
      } else if (over) {
        return;
      } else if (late) {
        // Somebody outside of the group holds it open.
        stdout.destroy();
        child.stderr.destroy();
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  };
}
