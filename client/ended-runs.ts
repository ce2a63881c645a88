import { WorkflowNotFoundError } from '@temporalio/client';
import { defined } from '../plan/defined';
import type { RunState } from '../plan/run/status';
import { isImported } from '../records/runs/imported-run';
import type { EndMoment, ListedEnd } from '../records/runs/listed-end';
import type { RunOutcome } from './outcome';
import type { RunSummary } from './run-summary';

/** The records of ended runs in the client's own store (`records/runs/ended-run.ts`). One that cannot be read counts as absent. */
export interface EndedRuns {
  read(run: string): Promise<RecordedEnd | undefined>;
  /** Finds a run as `findRun` does. Undefined if there is none, or none has a record. */
  find(text: string | undefined): Promise<RunSummary | undefined>;
  /** Runs by their last ends, the last to end first, a page at a time. `after`: only those that follow it. */
  list(filter: EndedFilter, after?: EndMoment): AsyncIterable<RunSummary[]>;
}

/** As far as a record tells. */
export interface EndedFilter {
  state?: RunState;
  pipeline?: string;
  children?: boolean;
}

/** What the record of one run says. */
export interface RecordedEnd {
  summary: RunSummary;
  outcome: RunOutcome;
  /** Answers as the run would. Fails as a query does, with `run.unreadable`. */
  answer(query: string, argument: unknown): Promise<unknown>;
}

/**
 * The one place that decides whether the server or the record is believed: the server, as long as it knows the run. Only if it answers that
 * there is no such run, it has forgotten it, and the record counts. If it does not answer, nobody knows whether the run has been reset
 * since, and its problem is the command's.
 */
export async function unlessForgotten<T>(
  client: { readonly ended?: EndedRuns },
  run: string,
  ask: () => Promise<T>,
  recorded: (end: RecordedEnd) => T | Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const end = error instanceof WorkflowNotFoundError ? await client.ended?.read(run) : undefined;
    if (end === undefined) throw error;
    return await recorded(end);
  }
}

export function summaryOfEnd(ended: ListedEnd): RunSummary {
  const { run, firstRun, execution: runId, pipeline, state, startedAt, endedAt, owner, parent } = ended;
  const imported = isImported(firstRun) ? true : undefined;
  return { run, runId, pipeline, state, startedAt, endedAt, gates: [], ...defined({ owner, parent, imported }) };
}
