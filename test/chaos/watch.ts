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
/** The kernel's, in which it counts processor time. */
const TICK_MS = 10;
const KB_OF_MB = 1024;

/** Looks at the worker of a host while it works: its memory, its processor time, and how much is done. */
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

  /** The mean of the second half of the time, and how far it went from that as a share. */
  memory(): { meanMb: number; spread: number } {
    const second = this.looks.slice(Math.floor(this.looks.length / 2)).map(({ memoryMb }) => memoryMb);
    const meanMb = second.reduce((sum, one) => sum + one, 0) / second.length;
    return { meanMb, spread: Math.max(...second.map((one) => Math.abs(one - meanMb))) / meanMb };
  }

  private at(count: number): Look {
    const found = this.looks.find(({ done }) => done >= count);
    if (!found) throw new RangeError(`never were ${count} done`);
    return found;
  }

  private look(): void {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
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
