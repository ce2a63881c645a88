import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import type { EntryKind, EntryOf, LogEntry, LogScope } from './attempt-log';
import type { StepContext } from './step-context';

/** What the calls that hold other scopes need. */
export interface OpenScope {
  it: Interpreter;
  place: Place;
  enter<K extends EntryKind>(fresh: EntryOf<K>): EntryOf<K>;
  /** The known result of an entry. */
  known<T>(entry: LogEntry): Promise<T> | undefined;
  marked<T>(entry: LogEntry, work: Promise<T>, marks: (value: T) => void): Promise<T>;
  open(place: Place, scope: LogScope, caughtUp?: () => void): StepContext;
}
