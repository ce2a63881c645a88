import { Cancelled } from '../../run-context';
import type { Run } from '../run';
import { isSuperseded, type Place, placeLabel } from '../scheduling/place';

/**
 * Who works in which worktree: one step at a time, in the order of asking. A step has a worktree only while an activity of its own is in
 * progress there, so a step that waits for people or for its next try does not keep others from it. Children that its agent has spawned are
 * part of it.
 *
 * It is not in state: a fresh execution has nothing in progress, and its steps ask again.
 */
export interface WorktreeTurns {
  /** Waits until the step may work there. Each turn that was taken is given back once. */
  take(slot: string, place: Place): Promise<void>;
  give(slot: string): void;
  /** Does one thing at a time for a worktree, whatever happened to the one before. */
  alone<T>(slot: string, work: () => Promise<T>): Promise<T>;
}

interface Held {
  path: string;
  /** Its activities in progress. */
  uses: number;
  waiting: { path: string; key: string; granted: boolean }[];
}

export function createWorktreeTurns(run: Run): WorktreeTurns {
  const held = new Map<string, Held>();
  /** The queue for exclusive work in a slot, in the order of asking. */
  const lines = new Map<string, { key: string; granted: boolean }[]>();
  let asked = 0;

  function grant(slot: string, turn: Held): void {
    const [next] = turn.waiting;
    if (!next) {
      held.delete(slot);
      return;
    }
    turn.path = next.path;
    for (const one of turn.waiting.filter(({ path }) => path === next.path)) {
      one.granted = true;
      turn.uses += 1;
      run.wake(one.key);
    }
    turn.waiting = turn.waiting.filter(({ granted }) => !granted);
  }

  function give(slot: string): void {
    const turn = held.get(slot);
    if (!turn) return;
    turn.uses -= 1;
    if (turn.uses === 0) grant(slot, turn);
  }

  function handOn(slot: string): void {
    const next = lines.get(slot)?.shift();
    if (!next) {
      lines.delete(slot);
      return;
    }
    next.granted = true;
    run.wake(next.key);
  }

  /**
   * A step in the queue waits in a way that the run knows: the one before may be waiting for the next execution, which begins once all of
   * them wait.
   */
  async function inLine<T>(slot: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(slot);
    if (!line) lines.set(slot, []);
    else {
      asked += 1;
      const own = { key: `worktree:${slot}:${asked}`, granted: false };
      line.push(own);
      try {
        while (!own.granted) await run.sleepUntilWoken(own.key);
      } catch (error) {
        if (own.granted) handOn(slot);
        else line.splice(line.indexOf(own), 1);
        throw error;
      }
    }
    try {
      return await work();
    } finally {
      handOn(slot);
    }
  }

  return {
    give,
    async take(slot, place) {
      const turn = held.get(slot);
      if (!turn || turn.path === place.path) {
        if (turn) turn.uses += 1;
        else held.set(slot, { path: place.path, uses: 1, waiting: [] });
        return;
      }
      asked += 1;
      const own = { path: place.path, key: `worktree:${slot}:${asked}`, granted: false };
      turn.waiting.push(own);
      try {
        while (!own.granted) await run.sleepUntilWoken(own.key, placeLabel(place));
        if (isSuperseded(place)) throw new Cancelled();
      } catch (error) {
        if (own.granted) give(slot);
        else turn.waiting = turn.waiting.filter((one) => one !== own);
        throw error;
      }
    },
    alone: inLine,
  };
}
