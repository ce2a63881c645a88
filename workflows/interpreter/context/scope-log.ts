import { defined } from '../../../plan/defined';
import { bug, ThermidorFailure } from '../../../plan/run/failure';
import type { EntryEnd, EntryKind, EntryOf, FailureRecord, LogEntry, LogScope } from './attempt-log';

/**
 * Reads a scope's log while its code runs, and adds the code's new calls.
 *
 * Invariants: 1. one call at a time; 2. the code makes the calls of the log, in its order, and leaves none over: otherwise the program has
 * changed since the log was written, and `step.program-changed` says so.
 */
export interface ScopeLog {
  /** The entry of a call: the next of the log, else a new one. */
  enter<K extends EntryKind>(fresh: EntryOf<K>): EntryOf<K>;
  /** The call has ended. */
  leave(): void;
  /** The code has ended. */
  close(): void;
}

export function openLog(scope: LogScope, where: () => string): ScopeLog {
  let at = 0;
  let inside: string | undefined;
  return {
    enter<K extends EntryKind>(fresh: EntryOf<K>) {
      const called = `${fresh.kind} "${fresh.key}"`;
      if (inside !== undefined) throw bug(`${where()} makes ${called} while ${inside} is running: only \`all\` runs calls in parallel`);
      const next = scope[at];
      if (next && !isSame<K>(next, fresh)) throw changed(where(), `the log has ${next.kind} "${next.key}" where it makes ${called}`);
      const entry = next && isSame<K>(next, fresh) ? next : fresh;
      if (!next) scope.push(entry);
      at += 1;
      inside = called;
      return entry;
    },
    leave() {
      inside = undefined;
    },
    close() {
      const left = scope[at];
      if (left) throw changed(where(), `the log has ${left.kind} "${left.key}" where it ends`);
    },
  };
}

function isSame<K extends EntryKind>(entry: LogEntry, fresh: EntryOf<K>): entry is EntryOf<K> {
  return entry.kind === fresh.kind && entry.key === fresh.key;
}

function changed(where: string, what: string): ThermidorFailure {
  return new ThermidorFailure('step.program-changed', `${where}: ${what}; finish the run with the version that it began with`);
}

/** The result of a call. The log has it from the same call, by kind and key. */
export function resultOfEntry<T>({ value, failure }: EntryEnd): T {
  if (failure) throw failureOfEntry(failure);
  return value as T;
}

export function failureOfEntry({ code, message, details, retryAfterMs, located }: FailureRecord): ThermidorFailure {
  return new ThermidorFailure(code, message, details, retryAfterMs, undefined, located);
}

/** The failure of an inner step, thrown further out: the message says which step failed, the innermost. */
export function locatedFailure(failure: FailureRecord, step: string): ThermidorFailure {
  return failureOfEntry(failure.located ? failure : { ...failure, message: `step ${step}: ${failure.message}`, located: true });
}

/** The record of a step's failure; anything else is thrown on. */
export function failureRecord(error: unknown): FailureRecord {
  if (!(error instanceof ThermidorFailure)) throw error;
  const { code, message, details, retryAfterMs, located } = error;
  return { code, message, ...defined({ details, retryAfterMs, located }) };
}
