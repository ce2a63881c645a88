import { defined } from '../../plan/defined';
import { ticketWith } from './endings';
import type { QueueEffect } from './events';
import { type Attempt, type QueueState, waitingTickets } from './queue-state';
import { nextPart } from './suspects';

/** What begins now: settings when there is work again, green results at the front, and further attempts on top of merged ones. */
export function fill(state: QueueState): QueueEffect[] {
  const isIdle = state.line.length === 0 && waitingTickets(state).length === 0 && !state.suspects;
  if (isIdle) delete state.settings;
  if (isIdle || state.paused) return [];
  if (!state.settings) return readSettings(state);
  const effects = landing(state, state.settings);
  for (let begun = beginning(state, state.settings); begun.length > 0; begun = beginning(state, state.settings)) effects.push(...begun);
  return effects;
}

function readSettings(state: QueueState): QueueEffect[] {
  if (state.readsSettings) return [];
  state.readsSettings = true;
  return [{ kind: 'settings' }];
}

function landing(state: QueueState, { batch }: { batch: number }): QueueEffect[] {
  const calledOff = joinGreen(state, batch);
  const [first] = state.line;
  if (first?.stage !== 'green') return calledOff;
  first.stage = 'advancing';
  return [...calledOff, { kind: 'advance', attempt: first.number }];
}

/** A green attempt includes those below it, as far as all of them could have been a batch: their own results are then irrelevant. */
function joinGreen({ line }: QueueState, batch: number): QueueEffect[] {
  if (line[0]?.stage === 'advancing') return [];
  const ticketsUpTo = (at: number) => line.slice(0, at + 1).reduce((sum, { tickets }) => sum + tickets.length, 0);
  const last = line.findLastIndex(({ stage }, at) => stage === 'green' && ticketsUpTo(at) <= batch);
  const top = line[last];
  if (!top?.merged || last === 0) return [];
  const below = line.splice(0, last);
  const joined = [...below, top];
  const commits = joined.flatMap(({ merged }) => merged?.commits ?? []);
  const held = joined.flatMap((attempt) => attempt.held ?? []);
  const { onto } = below[0]?.merged ?? top.merged;
  Object.assign(top, { tickets: joined.flatMap(({ tickets }) => tickets), merged: { ...top.merged, onto, commits } });
  if (held.length > 0) top.held = held;
  return below.filter(({ stage }) => stage === 'testing').map(({ number }) => ({ kind: 'cancel', attempt: number }));
}

function beginning(state: QueueState, { batch, speculate }: { batch: number; speculate: number }): QueueEffect[] {
  const last = state.line.at(-1);
  if (state.line.length >= speculate || (last && !isGround(last))) return [];
  const part = nextPart(state);
  if (part) {
    const number = ++state.attemptsMade;
    state.line.push({ number, stage: 'testing', ...part });
    return [{ kind: 'test', attempt: number }];
  }
  const tickets = nextTickets(state, batch);
  if (tickets.length === 0) return [];
  const attempt: Attempt = {
    number: ++state.attemptsMade,
    stage: 'merging',
    tickets,
    ...defined({ below: last?.merged?.result }),
  };
  state.line.push(attempt);
  return [{ kind: 'merge', attempt: attempt.number }];
}

/** Nothing is worth a test on top of a red one. */
function isGround({ stage, merged }: Attempt): boolean {
  return merged !== undefined && stage !== 'red';
}

/** A candidate that must be alone on the target waits for the line to be empty, and later ones wait for it. */
function nextTickets(state: QueueState, batch: number): number[] {
  const apart = nextApart(state);
  const chosen =
    apart === undefined
      ? waitingTickets(state)
          .map(({ number }) => number)
          .slice(0, batch)
      : [apart];
  const [first] = chosen;
  if (first === undefined) return [];
  if (state.line.length > 0 && ticketWith(state, first)?.alone) return [];
  if (apart !== undefined) state.apart.shift();
  return chosen;
}

/** The first that is still there. */
function nextApart(state: QueueState): number | undefined {
  const waiting = new Set(waitingTickets(state).map(({ number }) => number));
  state.apart = state.apart.filter((number) => waiting.has(number));
  return state.apart[0];
}
