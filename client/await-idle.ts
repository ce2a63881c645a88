import { defined } from '../plan/defined';
import type { RunView } from '../plan/run/status';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import type { RunOutcome } from './outcome';
import { readOutcome } from './read-outcome';
import { readStatus } from './read-run';
import { isDeadlineExceeded, isTransient } from './server-error';

/**
 * Waits until a run ends, or rests at a gate with nothing else in progress.
 *
 * Invariants: 1. it waits at the server (a long poll of the history) and asks the run itself only when the history says that the listed
 * facts have changed: a run of a thousand steps costs no more questions than one of ten; 2. a run that continues as new is one run; 3. a
 * missing server is asked again for as long as `PATIENCE_MS`, because a worker of the run brings it back; one failed question about the run
 * does not end the wait.
 */
export type IdleRun = { kind: 'ended'; outcome: RunOutcome } | { kind: 'waits'; view: RunView };

export interface AwaitIdle {
  signal: AbortSignal;
  /** Called when the run has got on, at most once at a time. */
  onProgress?: () => Promise<void>;
}

const POLL_MS = 50_000;
/**
 * Used if a gate is open while other work is in progress, which may end without an event. A server ends a poll a second before the caller's
 * deadline, and answers at once if there is no second left.
 */
const SHORT_POLL_MS = 2_000;
const PATIENCE_MS = 30_000;
const PAUSE_MS = 200;

/** Undefined if the signal ended the wait. */
export async function awaitIdle(client: ThermidorClient, run: string, { signal, onProgress }: AwaitIdle): Promise<IdleRun | undefined> {
  const at: Position = { token: undefined, limitMs: POLL_MS };
  let look = true;
  let awaySince: number | undefined;
  while (!signal.aborted) {
    const askedAt = Date.now();
    let page: Page | undefined;
    try {
      page = await nextPage(client, run, at, signal);
      awaySince = undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      awaySince ??= Date.now();
      if (!isTransient(error) || Date.now() - awaySince > PATIENCE_MS) throw error;
      await pause();
      continue;
    }
    if (page?.ended) {
      const outcome = await readOutcome(client, run);
      if (outcome) return { kind: 'ended', outcome };
      continue;
    }
    if (page) await onProgress?.().catch(unlessPassing);
    look ||= page === undefined || page.remarkable;
    // A server that calls the poll off at once is not asked without a pause.
    if (page === undefined && Date.now() - askedAt < PAUSE_MS) await pause();
    if (!look) continue;
    const view = await viewOf(client, run);
    look = view === undefined;
    if (view && view.gates.length > 0 && view.state === 'waiting') return { kind: 'waits', view };
    at.limitMs = look || (view && view.gates.length > 0) ? SHORT_POLL_MS : POLL_MS;
  }
  return undefined;
}

interface Position {
  runId?: string;
  token: Uint8Array | undefined;
  limitMs: number;
}

interface Page {
  ended: boolean;
  /** Something that lists show has changed. */
  remarkable: boolean;
}

/** Waits for the next events of the run; undefined if none came within the limit. */
async function nextPage(client: ThermidorClient, run: string, at: Position, signal: AbortSignal): Promise<Page | undefined> {
  const request = {
    namespace: client.namespace,
    execution: { workflowId: run, ...defined({ runId: at.runId }) },
    waitNewEvent: true,
    ...defined({ nextPageToken: at.token }),
  };
  // A signal of its own: the SDK never removes a listener, and there may be thousands of pages.
  const own = new AbortController();
  const abort = (): void => own.abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const answer = await client.connection.withAbortSignal(own.signal, () =>
      client.call(() => client.temporal.workflowService.getWorkflowExecutionHistory(request), at.limitMs),
    );
    const page: Page = { ended: false, remarkable: false };
    at.token = answer.nextPageToken?.length ? answer.nextPageToken : undefined;
    const events = answer.history?.events ?? [];
    // A server ends a poll before the caller does.
    if (events.length === 0) return undefined;
    for (const event of events) {
      const goesOn = event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
      if (goesOn) {
        Object.assign(at, { runId: goesOn, token: undefined });
        page.remarkable = true;
      } else if (CLOSING.some((attributes) => event[attributes])) page.ended = true;
      else if (event.workflowPropertiesModifiedEventAttributes) page.remarkable = true;
    }
    return page;
  } catch (error) {
    // Nothing happened within the time: that is no problem, and says nothing of the worker.
    if (isDeadlineExceeded(error)) return undefined;
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

const CLOSING = [
  'workflowExecutionCompletedEventAttributes',
  'workflowExecutionFailedEventAttributes',
  'workflowExecutionCanceledEventAttributes',
  'workflowExecutionTerminatedEventAttributes',
  'workflowExecutionTimedOutEventAttributes',
] as const;

/** Undefined while the run opens, and if nobody answers at the moment: the next look shows it. */
async function viewOf(client: ThermidorClient, run: string): Promise<RunView | undefined> {
  try {
    return await readStatus(client, run);
  } catch (error) {
    if (error instanceof ClientProblem && error.code === 'run.unreadable') return undefined;
    return unlessPassing(error);
  }
}

function unlessPassing(error: unknown): undefined {
  if (!isTransient(error)) throw error;
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS);
  });
}
