import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sizesOf } from './database-sizes';
import type { Fleet } from './fleet';
import type { Host } from './host';

/** What there is at one time, by its name. What could not be seen, because its owner was stopped or away, is not there. */
export type Look = Readonly<Record<string, number>>;

const KB_OF_MB = 1024;
const BYTES_OF_MB = KB_OF_MB * KB_OF_MB;
const TICKS_OF_S = 100;
/** Before that a worker has not begun to catch the signal that asks for a report, and dies of it. */
const LEAST_AGE_S = 20;
/** From this age on a worker has loaded all that it uses. */
const GROWN_S = 180;
const REPORT_MS = 5000;
const LOOK_MS = 50;

/**
 * Looks at everything that could grow: at the worker that is never ended by its host's name, at the others by their age, for each of them
 * lives for some minutes; at the database, the server, and the hosts' folders.
 */
export class Looks {
  readonly all: Look[] = [];

  constructor(
    private readonly fleet: Fleet,
    /** The host whose worker is never ended. */
    private readonly steady: string,
  ) {}

  async look(): Promise<void> {
    const [workers, database, server] = await Promise.all([
      Promise.all(this.fleet.hosts.map((host) => this.worker(host))),
      sizesOf(this.fleet),
      this.server(),
    ]);
    const folders = this.fleet.hosts.map((host) => this.folders(host));
    const all = [...workers, database, server, ...folders].flatMap((some) => Object.entries(some));
    const seen = meanByName(all);
    this.all.push(seen);
    this.fleet.say(JSON.stringify(seen, (_, value) => (typeof value === 'number' ? tenths(value) : value)));
  }

  private async worker({ name, worker: { pid } }: Host): Promise<Record<string, number>> {
    const process = processAt(pid);
    if (!process) return {};
    const isSteady = name === this.steady;
    if (!isSteady && process.ageS < LEAST_AGE_S) return {};
    const who = isSteady ? `worker ${name}` : `another worker, ${process.ageS < GROWN_S ? 'young' : 'grown'}`;
    const heap = process.ageS < LEAST_AGE_S ? undefined : await this.heap(pid);
    const { memoryMb, threads, handles } = process;
    const seen = { 'memory, MB': memoryMb, threads, ...(isSteady && handles), ...heap };
    return Object.fromEntries(Object.entries(seen).map(([what, value]) => [`${who}: ${what}`, value]));
  }

  /** What the worker says of itself; nothing if it is stopped. */
  private async heap(pid: number): Promise<Record<string, number>> {
    const folder = this.fleet.reports;
    // One that was stopped then has answered since.
    for (const name of reportsOf(folder, pid)) rmSync(join(folder, name));
    process.kill(pid, 'SIGUSR2');
    for (const deadline = Date.now() + REPORT_MS; Date.now() < deadline; await pause(LOOK_MS)) {
      const report = readReport(folder, pid);
      if (report) return report;
    }
    return {};
  }

  private async server(): Promise<Record<string, number>> {
    const server = await this.fleet.scratch.server().catch(() => undefined);
    const process = server && processAt(server.pid);
    return process ? { 'server: memory, MB': process.memoryMb, 'server: connections': process.handles['handles: sockets'] ?? 0 } : {};
  }

  private folders({ disk }: Host): Record<string, number> {
    const { trees, temporary, home, state } = disk;
    return {
      // The repository, and each worktree with it, has more files with each run.
      'a host: worktrees': namesIn(join(trees, 'trees')).length,
      'a host: notes of worktrees': namesIn(join(trees, 'records')).length,
      'a host: temporary files': filesBelow(temporary),
      'a host: files in its home': filesBelow(home),
      ...(state !== undefined && { 'a host: files in its state folder': filesBelow(state) }),
    };
  }
}

export const tenths = (value: number): number => Math.round(value * 10) / 10;

/** Several things have the same name. */
export function meanByName(all: readonly (readonly [string, number])[]): Record<string, number> {
  const totals = new Map<string, { sum: number; count: number }>();
  for (const [name, value] of all) {
    const { sum, count } = totals.get(name) ?? { sum: 0, count: 0 };
    totals.set(name, { sum: sum + value, count: count + 1 });
  }
  return Object.fromEntries([...totals].map(([name, { sum, count }]) => [name, sum / count]));
}

interface ProcessLook {
  ageS: number;
  memoryMb: number;
  threads: number;
  /** By kind. */
  handles: Record<string, number>;
}

/** Undefined if it has ended. */
function processAt(pid: number): ProcessLook | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const began = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]) / TICKS_OF_S;
    const ageS = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) - began;
    const handles = { 'handles: sockets': 0, 'handles: pipes': 0, 'handles: files': 0, 'handles: others': 0 };
    for (const fd of readdirSync(`/proc/${pid}/fd`)) handles[kindOf(`/proc/${pid}/fd/${fd}`)] += 1;
    const value = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    // One that was killed, and whose parent has not asked for its end, has no memory.
    if (Number.isNaN(value('VmRSS'))) return undefined;
    return { ageS, memoryMb: value('VmRSS') / KB_OF_MB, threads: value('Threads'), handles };
  } catch {
    return undefined;
  }
}

function kindOf(fd: string): 'handles: sockets' | 'handles: pipes' | 'handles: files' | 'handles: others' {
  try {
    const target = readlinkSync(fd);
    if (target.startsWith('socket:')) return 'handles: sockets';
    if (target.startsWith('pipe:')) return 'handles: pipes';
    return target.startsWith('/') ? 'handles: files' : 'handles: others';
  } catch {
    // It was closed meanwhile.
    return 'handles: others';
  }
}

/** A thread's part of a report that Node writes. */
interface Report {
  javascriptHeap: { usedMemory: number; externalMemory: number; heapSpaces: Record<string, { used: number }> };
  libuv: { type: string }[];
  workers: Report[];
}

/** Their names are `report`, day, time, process, thread and number. */
const reportsOf = (folder: string, pid: number): string[] =>
  readdirSync(folder).filter((name) => name.startsWith('report.') && name.split('.')[3] === String(pid));

/** Undefined if there is none yet, or it is being written. */
function readReport(folder: string, pid: number): Record<string, number> | undefined {
  const [name] = reportsOf(folder, pid);
  if (name === undefined) return undefined;
  let report: Report;
  try {
    report = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report;
  } catch {
    return undefined;
  }
  const threads = [report, ...report.workers];
  const sum = (of: (one: Report) => number): number => threads.reduce((total, one) => total + of(one), 0);
  return {
    'heap, MB': sum(({ javascriptHeap }) => javascriptHeap.usedMemory) / BYTES_OF_MB,
    'heap that has survived, MB': sum(({ javascriptHeap }) => javascriptHeap.heapSpaces['old_space']?.used ?? 0) / BYTES_OF_MB,
    'memory beyond the heap, MB': sum(({ javascriptHeap }) => javascriptHeap.externalMemory) / BYTES_OF_MB,
    'handles of the event loops': sum(({ libuv }) => libuv.length),
  };
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

function filesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory()).length;
  } catch {
    // It is being removed.
    return 0;
  }
}
