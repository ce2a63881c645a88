import { readFileSync } from 'node:fs';
import type { Host } from './host';

interface Look {
  atMs: number;
  cpuMs: number;
  memoryMb: number;
  done: number;
}

/** What one step took, in the worker's processor time and by the clock. */
export interface Cost {
  cpuMs: number;
  wallMs: number;
}

const EVERY_MS = 500;
/** The garbage is collected at every fourth look, and the memory is that of the second one after it. */
const [LOOKS, COLLECTED] = [4, 2];
/** The bit of signal 12 in the kernel's mask. */
const SIGUSR2_CAUGHT = 1n << 11n;
/** The kernel's, in which it counts processor time. */
const TICK_MS = 10;
const KB_OF_MB = 1024;

/**
 * To be loaded by a worker before anything else (`NODE_OPTIONS`): a signal has it collect its garbage, in all threads. A heap is collected
 * the later the more memory the machine has, and so in a minute of work the memory of a process says little about what it holds.
 */
export const COLLECTS = `
const { BroadcastChannel, isMainThread } = require('node:worker_threads');
require('node:v8').setFlagsFromString('--expose-gc');
const collect = require('node:vm').runInNewContext('gc');
const channel = new BroadcastChannel('collect');
channel.onmessage = collect;
channel.unref();
if (isMainThread) process.on('SIGUSR2', () => {
  collect();
  channel.postMessage('');
});
`;

/** Looks at the worker of a host while it works: its memory without garbage, its processor time, and how much is done. */
export class Watch {
  private readonly looks: Look[] = [];
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly pid: number,
    private readonly done: () => number,
  ) {
    this.timer = setInterval(() => this.look(), EVERY_MS);
    this.look();
  }

  static of({ worker }: Host, done: () => number): Watch {
    return new Watch(worker.pid, done);
  }

  end(): this {
    clearInterval(this.timer);
    this.look();
    return this;
  }

  /** What each of the steps between two counts took. */
  cost(from: number, to: number): Cost {
    const [first, last] = [this.at(from), this.at(to)];
    const steps = last.done - first.done;
    return { cpuMs: (last.cpuMs - first.cpuMs) / steps, wallMs: (last.atMs - first.atMs) / steps };
  }

  /** The mean of the last quarter of the time, and by how much it differs from that of the quarter before, as a share. */
  memory(): { meanMb: number; growth: number } {
    const collected = this.looks.filter((_, n) => n % LOOKS === COLLECTED);
    const quarter = Math.floor(collected.length / 4);
    const mean = (looks: readonly Look[]): number => looks.reduce((sum, { memoryMb }) => sum + memoryMb, 0) / looks.length;
    const [before, last] = [mean(collected.slice(-2 * quarter, -quarter)), mean(collected.slice(-quarter))];
    return { meanMb: last, growth: last / before - 1 };
  }

  private at(count: number): Look {
    const found = this.looks.find(({ done }) => done >= count);
    if (!found) throw new RangeError(`never were ${count} done`);
    return found;
  }

  private look(): void {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    // A process that has not come so far as to catch the signal would end.
    const isCaught = (BigInt(`0x${/^SigCgt:\s+(\w+)/m.exec(status)?.[1]}`) & SIGUSR2_CAUGHT) !== 0n;
    if (isCaught && this.looks.length % LOOKS === 0) process.kill(this.pid, 'SIGUSR2');
    // Behind the name, which may have spaces: the state, and from there on the twelfth and thirteenth are times of user and system.
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    this.looks.push({
      atMs: performance.now(),
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      memoryMb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / KB_OF_MB,
      done: this.done(),
    });
  }
}
