import type { RunView } from '../plan/run/status';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { hasEnded, type RunOutcome } from './outcome';
import { sleep } from './pause';
import { readLiveRun } from './read-live-run';
import { pollOutcome } from './read-outcome';

/**
 * Follows a run to its end.
 *
 * Invariants: 1. a view is reported only if it differs from the previous one; 2. the last event is `ended`, given once, and the view before
 * it is the run's final one if a worker could still be asked; 3. a missing server or worker is reported each time it does not answer
 * (`trouble`) and asked again: only the caller gives up.
 */
export type FollowEvent =
  | { kind: 'view'; view: RunView }
  | { kind: 'trouble'; problem: ClientProblem }
  | { kind: 'ended'; outcome: RunOutcome };

export interface FollowOptions {
  signal: AbortSignal;
  /** The pause between two questions. @default 200 */
  everyMs?: number;
}

/** One long poll; the next one takes over. */
const RESULT_POLL_MS = 50_000;
const FINAL_STATUS_LIMIT_MS = 5_000;
/** The server may lose a query that meets the end of a workflow task; the same one repeated is answered at once. */
const FIRST_ASK_LIMIT_MS = 1_500;

export async function* followRun(client: ThermidorClient, run: string, options: FollowOptions): AsyncGenerator<FollowEvent> {
  const { signal, everyMs = 200 } = options;
  const ending = watchForEnd(client, run, signal);
  let shown = '';
  const fresh = (view: RunView): boolean => {
    const text = JSON.stringify(view);
    const changed = text !== shown;
    shown = text;
    return changed;
  };
  while (!signal.aborted) {
    const answer = await Promise.race([ending.promise, askTwice(client, run)]);
    if (signal.aborted) return;
    if (ending.outcome !== undefined) break;
    if (answer instanceof ClientProblem) {
      yield { kind: 'trouble', problem: answer };
    } else if (answer !== undefined && fresh(answer)) yield { kind: 'view', view: answer };
    await Promise.race([ending.promise, sleep(everyMs, signal)]);
    if (ending.outcome !== undefined) break;
  }
  if (ending.outcome === undefined) return;
  const last = await finalView(client, run);
  if (last !== undefined && fresh(last)) yield { kind: 'view', view: last };
  yield { kind: 'ended', outcome: ending.outcome };
}

/** The view of a run that has ended. An answer that was on its way when it ended may be older: the query is repeated. */
async function finalView(client: ThermidorClient, run: string): Promise<RunView | undefined> {
  let last = await askTwice(client, run, FINAL_STATUS_LIMIT_MS);
  for (let again = 0; again < 2 && !(last !== undefined && 'state' in last && hasEnded(last.state)); again++) {
    last = await ask(client, run, FINAL_STATUS_LIMIT_MS);
  }
  return last instanceof ClientProblem ? undefined : last;
}

async function askTwice(client: ThermidorClient, run: string, limitMs?: number): Promise<RunView | ClientProblem | undefined> {
  const first = await ask(client, run, FIRST_ASK_LIMIT_MS);
  return first instanceof ClientProblem ? ask(client, run, limitMs) : first;
}

/** The view, or why there is none. A run whose first task is not done yet does not answer: that is no trouble. */
async function ask(client: ThermidorClient, run: string, limitMs?: number): Promise<RunView | ClientProblem | undefined> {
  try {
    return await readLiveRun(client, run, limitMs);
  } catch (error) {
    if (!(error instanceof ClientProblem)) throw error;
    return error.code === 'run.unreadable' ? undefined : error;
  }
}

interface Ending {
  /** Settles when the outcome is known or nobody follows any more. */
  promise: Promise<undefined>;
  outcome: RunOutcome | undefined;
}

function watchForEnd(client: ThermidorClient, run: string, signal: AbortSignal): Ending {
  const wait = async (): Promise<undefined> => {
    while (!signal.aborted && ending.outcome === undefined) {
      ending.outcome = await pollOutcome(client, run, RESULT_POLL_MS, signal);
    }
    return undefined;
  };
  const ending: Ending = { promise: Promise.resolve(undefined), outcome: undefined };
  ending.promise = wait();
  return ending;
}
