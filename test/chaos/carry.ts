import type { Fleet } from './fleet';
import { giveOrders } from './orders';
import { answerAll } from './people';
import { faultsOfRuns, leftBehind, redCommits } from './verdict';

/** What is wrong after runs of every sort have ended, a line each. */
export interface Verdict {
  /** Runs that ended otherwise than they must. */
  ends: string[];
  /** Effects that are missing or doubled, and answers of people that are. */
  faults: string[];
  /** Files, locks, rows and processes. */
  left: string[];
  /** Values of `main` whose test fails. */
  red: string[];
  /** What workers did that they must not do. */
  misdeeds: string[];
}

export const SPOTLESS: Verdict = { ends: [], faults: [], left: [], red: [], misdeeds: [] };

/** Begins runs, one with each call, of one sort after the other. */
export type Supply = (next: () => Promise<void>) => Promise<void>;

export function atOnce(count: number): Supply {
  return async (next) => {
    for (let n = 0; n < count; n += 1) await next();
  };
}

export interface Load {
  supply: Supply;
  /** From the last begin to the last end. */
  mostMs: number;
  /** Whether work may be done again if the journal says so. */
  mayRepeat: boolean;
}

/** @param meanwhile what happens to the fleet until it is over */
export async function carry<T>(
  fleet: Fleet,
  { supply, mostMs, mayRepeat }: Load,
  meanwhile: (over: AbortSignal) => Promise<T>,
): Promise<{ verdict: Verdict; happened: T; tookMs: number }> {
  const began = performance.now();
  const names = Object.keys(fleet.sorts).filter((name) => fleet.sorts[name]?.isChild !== true);
  const runs: Record<string, string> = {};
  const over = new AbortController();
  const happening = meanwhile(over.signal);
  const people = Promise.all([answerAll(fleet, over.signal), giveOrders(fleet, runs, over.signal)]);
  const supplied = supply(async () => {
    const count = Object.keys(runs).length;
    const [run, name] = [`run-${count}`, names[count % names.length] ?? ''];
    runs[run] = name;
    await fleet.begin(run, name);
  });
  const ended = supplied.then(() => fleet.untilEnded(Object.keys(runs), mostMs));
  const states = await Promise.race([ended, onlyFailureOf(happening), onlyFailureOf(people)]);
  const tookMs = performance.now() - began;
  over.abort();
  const happened = await happening;
  await people;
  const faults = await faultsOfRuns(fleet, runs, mayRepeat);
  for (const host of fleet.hosts) await host.terminate();
  for (const host of fleet.hosts) await host.prune();
  const ends = Object.entries(runs).flatMap(([run, name]) => {
    const must = fleet.sorts[name]?.ends;
    return states[run] === must ? [] : [`${run} (${name}) is ${states[run]}, not ${must}`];
  });
  const misdeeds = fleet.hosts.flatMap((host) => host.misdeeds);
  return { verdict: { ends, faults, left: await leftBehind(fleet), red: redCommits(fleet), misdeeds }, happened, tookMs };
}

/** Rejects as it does, and never resolves. */
function onlyFailureOf(work: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => work.catch(reject));
}
