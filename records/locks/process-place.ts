import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Names the set of processes that this one can see and judge by `isRunning`: of one boot, and of one namespace of ids. Containers of one
 * machine are separate places, and so are machines that share a folder. Undefined if the system does not tell places apart.
 *
 * Invariant: a process that reads a mark of its own place, and does not find the marked process, knows that it has ended. A namespace whose
 * number is reused has ended before, with all its processes.
 */
export function processPlace(): string | undefined {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}
