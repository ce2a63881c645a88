import { isMainThread } from 'node:worker_threads';
import { type FromProcess, isToProcess } from './messages';

/**
 * Loaded into the worker's process before anything else (`--require`): reports what is not visible from outside.
 *
 * Its timer is due every few milliseconds. For as long as it is late, nothing else of the process ran either: no heartbeat, no answer of a
 * service. Other programs on the machine can make it late too, so the process's running time is reported with it.
 */
const EVERY_MS = 10;

interface Look {
  atMs: number;
  cpuMs: number;
}

function look(): Look {
  const { user, system } = process.cpuUsage();
  return { atMs: performance.now(), cpuMs: (user + system) / 1000 };
}

function watch(): void {
  let begun = look();
  let last = begun;
  let longest = { stallMs: 0, ownStallMs: 0 };
  const next = (): void => {
    const now = look();
    const stallMs = now.atMs - last.atMs - EVERY_MS;
    const ownStallMs = Math.min(stallMs, now.cpuMs - last.cpuMs);
    longest = { stallMs: Math.max(longest.stallMs, stallMs), ownStallMs: Math.max(longest.ownStallMs, ownStallMs) };
    last = now;
    setTimeout(next, EVERY_MS).unref();
  };
  next();
  process.on('message', (message) => {
    if (!isToProcess(message)) return;
    if (message.kind === 'begin') {
      begun = look();
      last = begun;
      longest = { stallMs: 0, ownStallMs: 0 };
      return;
    }
    const { cpuMs } = look();
    sendMessage({ kind: 'measured', ...longest, cpuMs: cpuMs - begun.cpuMs, peakMb: process.resourceUsage().maxRSS / 1024 });
  });
  // Also if the bench was killed: nobody else would end this process, and nobody reads its output.
  process.once('disconnect', () => {
    process.stderr.on('error', () => undefined);
    process.kill(process.pid, 'SIGTERM');
  });
  // The program ends when it wants to.
  process.channel?.unref();
}

function sendMessage(message: FromProcess): void {
  process.send?.(message);
}

// Threads of the process load it too, and workflow code runs there.
if (isMainThread) watch();
