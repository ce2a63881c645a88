import { defined, unlessEmpty } from '../../plan/defined';
import { type AskedTicket, attemptAddress } from '../../plan/queue/queue-activities';
import type { QueueTarget } from '../../plan/queue/ticket';
import { bug, type FAILURES, ThermidorFailure } from '../../plan/run/failure';
import { unreachable } from '../../plan/unreachable';
import { workPolicy } from '../interpreter/steps/activity-timeouts';
import type { ActivityOptions, Cancellable } from '../run-context';
import { ticketWith } from './endings';
import type { QueueEffect, QueueEvent } from './events';
import type { QueueContext } from './queue-context';
import type { Attempt, QueueState } from './queue-state';

/** Which activity performs an effect, and what its result means to the machine. */

export type AttemptEffect = Extract<QueueEffect, { kind: 'merge' | 'test' | 'advance' }>;
export type RecordEffect = Extract<QueueEffect, { kind: 'admit' | 'settings' | 'conclude' }>;

const MINUTE_MS = 60_000;
const HEARTBEAT_MS = 30_000;
/** The limit of git's work: a large repository may be fetched. */
const GIT_MS = 30 * MINUTE_MS;

export function attemptCall(context: QueueContext, state: QueueState, effect: AttemptEffect): Cancellable<QueueEvent> {
  const attempt = requireAttempt(state, effect.attempt);
  const target = requireTarget(state);
  const { number, within } = attempt;
  const { run } = context;
  const candidates = attempt.tickets.flatMap((ticket) => askedTicket(state, ticket));
  switch (effect.kind) {
    case 'merge': {
      const below = defined({ onto: attempt.below, within: state.line[state.line.indexOf(attempt) - 1]?.within });
      const input = { run, target, ...below, candidates, atMs: context.now() };
      const call = context.activity('mergeCandidates', input, optionsOf(attemptAddress('merge', number), GIT_MS));
      return mapped(call, (answer) => ({ kind: 'merged', attempt: number, answer }));
    }
    case 'test': {
      const { result: commit, onto } = requireMerged(attempt);
      const isAhead = state.line[0] === attempt ? undefined : (true as const);
      const input = { run, attempt: number, target, commit, onto, candidates, ...defined({ within, isAhead }) };
      // Each of its commands has a limit of its own, and their number is in the plans of those who ask.
      const options = { address: attemptAddress('test', number), ...workPolicy(undefined) };
      return mapped(context.activity('testMerged', input, options), (answer) => ({ kind: 'tested', attempt: number, answer }));
    }
    case 'advance': {
      const { onto: from, result: to } = requireMerged(attempt);
      const call = context.activity(
        'advanceTarget',
        { run, target, from, to, candidates, ...defined({ within }) },
        optionsOf(attemptAddress('advance', number), GIT_MS),
      );
      return mapped(call, (answer) => ({ kind: 'advanced', attempt: number, answer, atMs: context.now() }));
    }
    default:
      return unreachable(effect);
  }
}

/** The meaning of an attempt's failure. A bug has none. */
export function brokenBy({ kind, attempt }: AttemptEffect, error: unknown): QueueEvent | undefined {
  if (!(error instanceof ThermidorFailure)) return undefined;
  const { code, message } = error;
  // A push may have succeeded before git failed: a retry looks first.
  const isUnknown = kind === 'advance' && code === 'git.failed';
  return { kind: 'broken', attempt, code, message, isFault: !isUnknown && FAULTS.some((fault) => fault === code) };
}

const FAULTS = [
  'repository.unusable',
  'repository.refused',
  'git.failed',
  'queue.test-lost',
] as const satisfies readonly (keyof typeof FAILURES)[];

/** Calls on ledger and settings, which must succeed, however long they take. */
export function recordCall(context: QueueContext, state: QueueState, effect: RecordEffect): Promise<QueueEvent> {
  const { run } = context;
  switch (effect.kind) {
    case 'admit': {
      const { number, asked } = requireTicket(state, effect.ticket);
      const call = context.activity('admitCandidate', { run, asked }, optionsOf(`admit-${number}`, GIT_MS));
      return call.promise.then((admission) => ({ kind: 'admitted', ticket: number, admission }));
    }
    case 'settings': {
      const { target } = state;
      if (!target) throw bug('a queue with work knows its target');
      const call = context.activity('queueSettings', { run, target }, { startToCloseMs: MINUTE_MS });
      return call.promise.then(({ pause, ...settings }) => ({ kind: 'settings', settings, ...defined({ pause }) }));
    }
    case 'conclude': {
      const outcomes = state.ending
        .filter(({ number }) => effect.tickets.includes(number))
        .map(({ asked, outcome }) => ({ asked, outcome }));
      const { target, left = [], ordered, paused } = state;
      const pause = ordered && { ...ordered, ...defined({ paused }) };
      const more = { ...defined({ left: unlessEmpty(left), target, pause }) };
      const input = { run, outcomes, commits: effect.commits, ...more };
      // What no worker can do for so long is begun anew, so that an execution can end.
      const options = { startToCloseMs: GIT_MS, scheduleToCloseMs: 2 * GIT_MS, heartbeatMs: HEARTBEAT_MS };
      const call = context.activity('concludeTickets', input, options);
      return call.promise.then(() => ({ kind: 'concluded', tickets: effect.tickets, left, at: new Date(context.now()).toISOString() }));
    }
    default:
      return unreachable(effect);
  }
}

function optionsOf(address: string, startToCloseMs: number): ActivityOptions {
  return { address, startToCloseMs, heartbeatMs: HEARTBEAT_MS };
}

function mapped<T>({ promise, cancel }: Cancellable<T>, event: (answer: T) => QueueEvent): Cancellable<QueueEvent> {
  return { promise: promise.then(event), cancel };
}

function askedTicket(state: QueueState, number: number): AskedTicket[] {
  const ticket = ticketWith(state, number);
  return ticket ? [{ ticket: number, asked: ticket.asked }] : [];
}

/** Errors here fail the workflow task, not the queue: a fixed worker continues. */
function requireTarget({ target, settings }: QueueState): QueueTarget {
  if (!target || !settings) throw bug('a queue begins nothing without target and settings');
  return target;
}

function requireAttempt({ line }: QueueState, number: number): Attempt {
  const attempt = line.find((one) => one.number === number);
  if (!attempt) throw bug(`attempt ${number} is not in the line`);
  return attempt;
}

function requireMerged({ merged, number }: Attempt): NonNullable<Attempt['merged']> {
  if (!merged) throw bug(`attempt ${number} is not merged`);
  return merged;
}

function requireTicket(state: QueueState, number: number) {
  const ticket = ticketWith(state, number);
  if (!ticket) throw bug(`ticket ${number} is not open`);
  return ticket;
}
