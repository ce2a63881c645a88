import type { ActivityCall } from '../../../activities/activity-call';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { ClaimedLog, Ledger } from '../../../records/ledger';
import type { Dice } from './dice';

/**
 * Attempts of one activity under a server that considers workers lost: one attempt is stopped or killed anywhere in its work, the next
 * begins, and stopped ones continue at random moments. Only one attempt runs between two calls of `pass`.
 */
export interface Attempt {
  readonly number: number;
  readonly call: Pick<ActivityCall, 'attempt' | 'scheduledAtMs' | 'signal'>;
  /** Called before each access to the outside, and while one takes time. At this point the attempt may be stopped or killed. */
  pass(): Promise<void>;
}

export interface Played<T> {
  /** The result of the attempt for which the server waits. */
  result: T;
  attempts: number;
}

interface Live<T> {
  attempt: Attempt;
  waiting: { go(): void; die(error: Error): void }[];
  isOver: boolean;
  isKilled: boolean;
  isStopped: boolean;
  outcome?: { value: T } | { error: unknown };
}

const MOST_ATTEMPTS = 6;
class Killed extends Error {}

/** @param work one attempt of the activity */
export async function playAttempts<T>(chance: Dice, work: (attempt: Attempt) => Promise<T>): Promise<Played<T>> {
  const all: Live<T>[] = [];

  function begin(): Live<T> {
    const number = all.length + 1;
    const live: Live<T> = { waiting: [], isOver: false, isKilled: false, isStopped: false, attempt: undefined as never };
    live.attempt = {
      number,
      call: { attempt: number, scheduledAtMs: number * 1000, signal: new AbortController().signal },
      pass: () => (live.isKilled ? Promise.reject(new Killed()) : new Promise((go, die) => live.waiting.push({ go, die }))),
    };
    all.push(live);
    work(live.attempt).then(
      (value) => end(live, { value }),
      (error: unknown) => end(live, { error }),
    );
    return live;
  }

  function end(live: Live<T>, outcome: NonNullable<Live<T>['outcome']>): void {
    live.isOver = true;
    live.outcome = outcome;
  }

  /** Lets an attempt continue to its next access to the outside. */
  async function step(live: Live<T>): Promise<void> {
    const [next] = live.waiting.splice(chance.whole(0, live.waiting.length - 1), 1);
    next?.go();
    await quiet(live);
  }

  async function quiet(live: Live<T>): Promise<void> {
    while (!live.isOver && live.waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
  }

  function lose(live: Live<T>): void {
    live.isStopped = chance.chance(0.75);
    live.isKilled = !live.isStopped;
    if (live.isKilled) for (const one of live.waiting.splice(0)) one.die(new Killed());
  }

  let current = begin();
  await quiet(current);
  while (!current.isOver) {
    const zombies = all.filter(({ isStopped, isOver }) => isStopped && !isOver);
    const zombie = chance.chance(0.3) ? chance.pickAny(zombies) : undefined;
    if (zombie) await step(zombie);
    else if (all.length < MOST_ATTEMPTS && chance.chance(0.08)) {
      lose(current);
      current = begin();
      await quiet(current);
    } else await step(current);
  }
  for (const zombie of all) while (zombie.isStopped && !zombie.isOver) await step(zombie);
  for (const { outcome, attempt, isKilled, isOver } of all) {
    if (isOver && !isKilled && outcome && 'error' in outcome && !isTakenOver(outcome.error))
      throw new Error(`attempt ${attempt.number} of ${all.length} failed: ${String(outcome.error)}`, { cause: outcome.error });
  }
  if (!current.outcome || 'error' in current.outcome)
    throw new Error(`the attempt that is waited for has failed: ${String(current.outcome?.error)}`);
  return { result: current.outcome.value, attempts: all.length };
}

function isTakenOver(error: unknown): boolean {
  return error instanceof ThermidorFailure && error.code === 'worker.lost';
}

/** A ledger for one attempt, which passes a point before each access. */
export function ledgerOf(ledger: Ledger, { pass }: Attempt): Ledger {
  const after = async <T>(work: () => Promise<T>): Promise<T> => {
    await pass();
    return await work();
  };
  const passing = (log: ClaimedLog): ClaimedLog => ({
    before: log.before,
    append: (...lines) => after(() => log.append(...lines)),
    note: (line) => after(() => log.note(line)),
    sync: () => log.sync(),
    requireOwn: () => after(() => log.requireOwn()),
  });
  return {
    get: (run, name) => after(() => ledger.get(run, name)),
    putIfAbsent: (run, name, value) => after(() => ledger.putIfAbsent(run, name, value)),
    append: (run, log, ...lines) => after(() => ledger.append(run, log, ...lines)),
    note: (run, log, line) => after(() => ledger.note(run, log, line)),
    lines: (run, log) => after(() => ledger.lines(run, log)),
    follow: (run, log) => {
      const followed = ledger.follow(run, log);
      return { lines: () => after(() => followed.lines()) };
    },
    claim: (run, log, at) => after(async () => passing(await ledger.claim(run, log, at))),
    recordLog: (run, log) => after(() => ledger.recordLog(run, log)),
  };
}
