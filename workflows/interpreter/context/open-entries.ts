import { type AttemptRecord, type EntryOf, type LogEntry, type LogScope, OWN_AGENT } from './attempt-log';

/** What is under way in the memory of a try. */

/** Calls of a try that are under way, outer before inner. */
export function* openEntries({ attempt }: { attempt?: AttemptRecord }): Generator<LogEntry> {
  if (!attempt) return;
  if (!attempt.ended) yield* openIn(attempt.work);
  if (attempt.after) yield* openIn(attempt.after);
}

function* openIn(scope: LogScope): Generator<LogEntry> {
  for (const entry of scope) {
    if (entry.end) continue;
    yield entry;
    if (entry.kind === 'loop') yield* openIn(entry.scope);
    if (entry.kind === 'all') for (const { scope: inner } of Object.values(entry.branches)) yield* openIn(inner);
  }
}

/** Reservations of a step's running agents, and their spawned children. */
export function* agentsAtWork(record: { attempt?: AttemptRecord }): Generator<EntryOf<'agent'>> {
  for (const entry of openEntries(record)) if (entry.kind === 'agent') yield entry;
}

/** The call of the step's own agent, open or not. */
export function ownAgent({ attempt }: { attempt?: AttemptRecord }): EntryOf<'agent'> | undefined {
  const found = attempt?.work.find((entry) => entry.kind === 'agent' && entry.key === OWN_AGENT);
  return found?.kind === 'agent' ? found : undefined;
}
