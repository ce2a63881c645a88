import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '../../bench/caid/seeded';
import { CUTS } from './cut-line';
import type { Fleet } from './fleet';
import type { Host } from './host';

export interface Pace {
  seed: number;
  /** Between the beginnings of two disturbances, on the average. */
  betweenMs: number;
  /** A part of the names of the disturbances that there are. */
  only: string;
  /** How long a worker is stopped, and a line is cut, at most. */
  longMs: number;
  /** A host whose worker is neither ended nor stopped; its lines are cut as those of others. */
  spared?: string;
}

type Disturbance = (fleet: Fleet, host: Host, chance: (what: string) => number, longMs: number) => Promise<void>;

/** A worker whose disk is gone is ended by then. */
const MOST_WITHOUT_DISK_MS = 10_000;

const OF_WORKERS: Readonly<Record<string, Disturbance>> = {
  'a worker gets SIGKILL': (_, host) => host.kill(),
  'a worker gets SIGTERM': (_, host) => host.restart(),
  'a worker gets SIGSTOP, and SIGCONT later': (_, host, _chance, longMs) => host.stopFor(longMs),
  'the disk of a host vanishes': (_, host, chance) => host.loseDisk(MOST_WITHOUT_DISK_MS * chance('without')),
};

const OF_LINES: Readonly<Record<string, Disturbance>> = {
  'a host is cut off from the server': (_, host, chance, longMs) =>
    host.cut(host.lines.server, oneOf(CUTS, chance('how')), longMs * chance('cut')),
};

const OF_DATABASE: Readonly<Record<string, Disturbance>> = {
  'a host is cut off from the database': async (_, host, chance, longMs) => {
    if (host.lines.database) await host.cut(host.lines.database, oneOf(CUTS, chance('how')), longMs * chance('cut'));
  },
};

/** These are felt by all hosts. */
const OF_ALL: Readonly<Record<string, (fleet: Fleet, awayMs: number) => Promise<void>>> = {
  'the server is killed': (fleet, awayMs) => fleet.killServer(awayMs),
};
const OF_ALL_WITH_DATABASE: typeof OF_ALL = { 'the database is killed': (fleet, awayMs) => fleet.killDatabase(awayMs) };

/** Until it is over. Each disturbance comes at least once, if there is time; several may overlap, but never two of one host. */
export async function disturb(
  fleet: Fleet,
  { seed, betweenMs, longMs, only, spared }: Pace,
  over: AbortSignal,
): Promise<Record<string, number>> {
  const ofHosts = { ...OF_WORKERS, ...OF_LINES, ...(fleet.store === 'postgres' && OF_DATABASE) };
  const ofAll = { ...OF_ALL, ...(fleet.store === 'postgres' && OF_ALL_WITH_DATABASE) };
  const names = [...Object.keys(ofHosts), ...Object.keys(ofAll)].filter((name) => name.includes(only));
  const counts = Object.fromEntries(names.map((name) => [name, 0]));
  const busy = new Set<unknown>();
  const underWay = new Set<Promise<void>>();
  for (let n = 0; !over.aborted; n += 1) {
    const chance = (what: string): number => seeded(seed, `${n}/${what}`);
    await pause(betweenMs * (0.5 + chance('pause')), undefined, { signal: over }).catch(() => undefined);
    const name = names[n] ?? oneOf(names, chance('name'));
    const mayBeHit = name in OF_WORKERS ? fleet.hosts.filter((host) => host.name !== spared) : fleet.hosts;
    const host = oneOf(mayBeHit, chance('host'));
    const target = name in ofAll ? name : host;
    if (busy.has(target) || over.aborted) continue;
    busy.add(target);
    counts[name] = (counts[name] ?? 0) + 1;
    fleet.say(`${name}${name in ofAll ? '' : `: ${host.name}`}`);
    const done = (
      ofAll[name]?.(fleet, betweenMs * chance('away')) ??
      ofHosts[name]?.(fleet, host, chance, longMs) ??
      Promise.resolve()
    ).finally(() => {
      busy.delete(target);
      underWay.delete(done);
    });
    underWay.add(done);
  }
  await Promise.all(underWay);
  return counts;
}

function oneOf<T>(all: readonly T[], chance: number): T {
  const found = all[Math.floor(chance * all.length)];
  if (found === undefined) throw new RangeError('there is nothing to choose from');
  return found;
}
