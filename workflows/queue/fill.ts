import { openTicket } from './endings';
import type { QueueEffect } from './events';
import { type Attempt, halvesOf, type QueueState, waitingTickets } from './queue-state';

/** What begins now: settings when there is work again, what is green at the front, and further attempts on top of those that are merged. */
export function fill(state: QueueState): QueueEffect[] {
  const isIdle = state.line.length === 0 && waitingTickets(state).length === 0;
  if (isIdle) delete state.settings;
  if (isIdle || state.paused) return [];
  if (!state.settings) return readSettings(state);
  return [...landing(state), ...beginning(state, state.settings)];
}

function readSettings(state: QueueState): QueueEffect[] {
  if (state.readsSettings) return [];
  state.readsSettings = true;
  return [{ kind: 'settings' }];
}

function landing({ line: [first] }: QueueState): QueueEffect[] {
  if (first?.stage !== 'green') return [];
  first.stage = 'advancing';
  return [{ kind: 'advance', attempt: first.number }];
}

function beginning(state: QueueState, { batch, speculate }: { batch: number; speculate: number }): QueueEffect[] {
  const last = state.line.at(-1);
  if (state.line.length >= speculate || (last && !isGround(last))) return [];
  const tickets = nextTickets(state, batch);
  if (tickets.length === 0) return [];
  const attempt: Attempt = {
    number: ++state.attemptsMade,
    stage: 'merging',
    tickets,
    ...(last?.merged ? { below: last.merged.result } : {}),
  };
  state.line.push(attempt);
  return [{ kind: 'merge', attempt: attempt.number }];
}

/** On what is red nothing is worth a test. */
function isGround({ stage, merged }: Attempt): boolean {
  return merged !== undefined && stage !== 'red';
}

/** One that goes onto the target alone waits for the line to be empty, and what comes after it waits, too. */
function nextTickets(state: QueueState, batch: number): number[] {
  const half = nextHalf(state);
  const waiting = waitingTickets(state).map(({ number }) => number);
  const chosen = half ?? waiting.slice(0, batch);
  const [first] = chosen;
  if (first === undefined) return [];
  if (state.line.length > 0 && openTicket(state, first)?.alone) return [];
  if (half) state.halves.shift();
  return chosen;
}

/** On top of what is before it, a half is the batch that was red: it is halved before it is tried. */
function unlessKnown(state: QueueState, half: number[]): number[] {
  if (state.line.length === 0 || half.length === 1) return half;
  const [first = [], rest = []] = halvesOf(half);
  state.halves.splice(0, 1, first, rest);
  return first;
}

/** What of a half is still there. */
function nextHalf(state: QueueState): number[] | undefined {
  const waiting = new Set(waitingTickets(state).map(({ number }) => number));
  for (let half = state.halves[0]; half; half = state.halves[0]) {
    const left = half.filter((number) => waiting.has(number));
    if (left.length > 0) return unlessKnown(state, left);
    state.halves.shift();
  }
  return undefined;
}
