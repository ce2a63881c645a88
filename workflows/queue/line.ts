import type { AdvancedTarget, MergedCandidates, MergedPart, Tested } from '../../plan/queue/queue-activities';
import { unreachable } from '../../plan/unreachable';
import { conclude, type Decided, notKept, throwAway, ticketWith } from './endings';
import type { QueueEffect } from './events';
import { type Attempt, MOST_BROKEN, MOST_OVERTAKEN, type QueueState } from './queue-state';
import { partLanded, suspect } from './suspects';

/** The result of an attempt's own work. For one that is no longer in the line it is ignored, and not kept. */

export function merged(state: QueueState, number: number, { onto, result, parts }: MergedCandidates): QueueEffect[] {
  const attempt = inLine(state, number, 'merging');
  if (!attempt) return notKept(result === onto ? [] : [result]);
  const below = state.line[state.line.indexOf(attempt) - 1];
  const decided: Decided[] = [];
  const commits: { ticket: number; commit: string }[] = [];
  const held: Decided[] = [];
  for (const part of parts) {
    if (part.kind === 'merged') {
      commits.push({ ticket: part.ticket, commit: part.commit });
      const ticket = ticketWith(state, part.ticket);
      if (ticket && part.remarks) ticket.remarks = part.remarks;
      continue;
    }
    // A candidate's result on top of others holds only if they land.
    const isOnTarget = below === undefined && commits.length === 0;
    const outcome = outcomeOf(part, commits.at(-1)?.commit ?? onto);
    (isOnTarget || isOfItself(part) ? decided : held).push({ number: part.ticket, outcome });
  }
  attempt.tickets = commits.map(({ ticket }) => ticket);
  const lands = commits.length === 0 ? below : attempt;
  if (lands && held.length > 0) lands.held = [...(lands.held ?? []), ...held];
  const concluded = conclude(state, decided);
  if (commits.length === 0) return [...concluded, ...dissolved(state, attempt)];
  Object.assign(attempt, { stage: 'testing', merged: { onto, result, commits } });
  return [...concluded, { kind: 'test', attempt: number }];
}

type NotMerged = Exclude<MergedPart, { kind: 'merged' }>;

function outcomeOf({ ticket: _ticket, ...part }: NotMerged, onto: string): Decided['outcome'] {
  switch (part.kind) {
    case 'already':
      return part.result === undefined ? { kind: 'merged', result: onto, already: true } : { kind: 'merged', result: part.result };
    case 'conflict':
    case 'unrelated':
      return { ...part, onto };
    case 'restricted':
    case 'markers':
      return part;
    default:
      return unreachable(part);
  }
}

/** Whether the outcome would be the same wherever it is merged. */
function isOfItself({ kind }: NotMerged): boolean {
  return kind === 'restricted' || kind === 'markers';
}

/** Nothing is on top of an unmerged attempt. */
function dissolved(state: QueueState, attempt: Attempt): QueueEffect[] {
  state.line = state.line.filter((other) => other !== attempt);
  return [];
}

export function tested(state: QueueState, number: number, answer: Tested): QueueEffect[] {
  const attempt = inLine(state, number, 'testing');
  if (!attempt) return [];
  if (answer.kind === 'green') {
    attempt.stage = 'green';
    return [];
  }
  const { kind: _kind, ...red } = answer;
  attempt.stage = 'red';
  attempt.red = red;
  return front(state);
}

/** A red one ends when it is on the target itself: a batch is halved, and a candidate goes back. */
function front(state: QueueState): QueueEffect[] {
  const [first] = state.line;
  if (first?.stage !== 'red' || !first.red || !first.merged) return [];
  const { tickets, red, merged } = first;
  const thrown = throwAway(state, 0);
  const [only, ...others] = tickets;
  // The fault is among these, or was: the rest of their earlier batch waits like others.
  state.apart = [];
  suspect(state, first);
  if (only === undefined || others.length > 0) return thrown;
  const outcome = { kind: 'red', onto: merged.onto, result: merged.result, ...red } as const;
  return [...thrown, ...conclude(state, [{ number: only, outcome }])];
}

export function advanced(state: QueueState, number: number, answer: AdvancedTarget, atMs?: number): QueueEffect[] {
  const attempt = inLine(state, number, 'advancing');
  if (!attempt?.merged) return [];
  const { tickets, merged } = attempt;
  switch (answer.kind) {
    case 'moved': {
      state.line.shift();
      const outcome = { kind: 'merged', result: merged.result, ...orderOf(state, atMs) } as const;
      const landed = merged.commits.map(({ ticket }) => ({ number: ticket, outcome }));
      const decided = [...landed, ...(attempt.held ?? []), ...partLanded(state, attempt)];
      return [...conclude(state, decided), ...front(state)];
    }
    case 'dirty':
    case 'stale': {
      const thrown = throwAway(state, 0);
      const decided = tickets.flatMap((number) =>
        answer.kind === 'dirty' ? [{ number, outcome: { kind: 'refused', message: answer.message } } as const] : overtaken(state, number),
      );
      return [...thrown, ...conclude(state, decided)];
    }
    default:
      return unreachable(answer);
  }
}

/** Grows with each advance, also in a queue that begins anew after it was terminated. */
function orderOf(state: QueueState, atMs: number | undefined): { order?: number } {
  if (atMs === undefined) return {};
  state.lastOrder = Math.max((state.lastOrder ?? 0) + 1, atMs);
  return { order: state.lastOrder };
}

function overtaken(state: QueueState, number: number): Decided[] {
  const ticket = ticketWith(state, number);
  if (!ticket) return [];
  ticket.overtaken = (ticket.overtaken ?? 0) + 1;
  if (ticket.overtaken < MOST_OVERTAKEN) return [];
  const message = `while it was tested, somebody else moved the branch ${MOST_OVERTAKEN} times; pause what pushes there, and submit it again`;
  return [{ number, outcome: { kind: 'refused', message } }];
}

/** The tickets are tried once more, and each alone: the failure may have been another's, or the host's. */
export function brokenOff(
  state: QueueState,
  { attempt: number, code, message, isFault }: { attempt: number; code: string; message: string; isFault: boolean },
): QueueEffect[] {
  const at = state.line.findIndex((one) => one.number === number);
  const attempt = state.line[at];
  if (!attempt) return [];
  const { tickets } = attempt;
  const thrown = throwAway(state, at);
  if (tickets.length > 1) {
    state.apart.unshift(...tickets);
    return thrown;
  }
  return [
    ...thrown,
    ...conclude(
      state,
      tickets.flatMap((ticket) => brokenOnce(state, ticket, { code, message, isFault })),
    ),
  ];
}

function brokenOnce(
  state: QueueState,
  number: number,
  { code, message, isFault }: { code: string; message: string; isFault: boolean },
): Decided[] {
  const ticket = ticketWith(state, number);
  if (!ticket) return [];
  ticket.alone = true;
  ticket.broken = (ticket.broken ?? 0) + 1;
  return isFault || ticket.broken >= MOST_BROKEN ? [{ number, outcome: { kind: 'failed', code, message } }] : [];
}

function inLine(state: QueueState, number: number, stage: Attempt['stage']): Attempt | undefined {
  return state.line.find((attempt) => attempt.number === number && attempt.stage === stage);
}
