import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '../../bench/caid/seeded';
import type { Fleet } from './fleet';

const LOOK_MS = 1000;
/** How long a run is at work, at most, before it gets its order, and how long it is paused. */
const MOST_LATER_MS = 8000;

/** People who cancel some runs and pause others while these are at work. @param runs more come meanwhile */
export async function giveOrders(fleet: Fleet, runs: Readonly<Record<string, string>>, over: AbortSignal): Promise<void> {
  const given = new Set<string>();
  const underWay: Promise<void>[] = [];
  while (!over.aborted) {
    const lines = fleet.scratch.lines('effects');
    for (const [run, name] of Object.entries(runs)) {
      const sort = fleet.sorts[name];
      if (sort?.order === undefined || given.has(run)) continue;
      const atWork = Object.keys(sort.cutShort ?? sort.effects);
      if (!atWork.some((word) => lines.includes(`${run} ${word}`))) continue;
      given.add(run);
      underWay.push(sort.order === 'cancel' ? cancel(fleet, run, over) : pauseAndContinue(fleet, run, over));
    }
    await later(LOOK_MS, over);
  }
  await Promise.all(underWay);
}

const later = (ms: number, over: AbortSignal): Promise<void> => pause(ms, undefined, { signal: over }).catch(() => undefined);
const soon = (run: string): number => MOST_LATER_MS * seeded(0, run);

async function cancel(fleet: Fleet, run: string, over: AbortSignal): Promise<void> {
  await later(soon(run), over);
  await order(fleet, over, 'cancel', run, '--reason', 'It is the wrong day.');
}

async function pauseAndContinue(fleet: Fleet, run: string, over: AbortSignal): Promise<void> {
  await order(fleet, over, 'pause', run);
  await later(soon(run), over);
  await order(fleet, over, 'unpause', run);
}

/** Again and again until it is taken, for server or worker may be away. */
async function order(fleet: Fleet, over: AbortSignal, ...words: string[]): Promise<void> {
  const detached = words[0] === 'pause' ? [] : ['--detach'];
  while (!over.aborted) {
    const { code, out } = await fleet.scratch.ask(...words, '--by', 'cfo', '--json', ...detached);
    if (code === 0 || OVER.test(out)) return;
    await later(LOOK_MS, over);
  }
}

/** It has ended, or was continued by an order whose answer was lost. */
const OVER = /"code": "(run\.ended|signal\.refused)"/;
