import { FAILURES, ThermidorFailure } from '../../plan/run/failure';
import { beginning } from '../../plan/text/shortened';
import { RUN_RECORD } from '../../records/runs/run-record';
import { asJson } from '../../records/stored-json';
import type { ActivityCall } from '../activity-call';
import { notify } from '../gates/notify';
import type { Toolbox } from '../toolbox';
import { beginsAlone } from './begins-alone';

/** An execution that the server itself closed: the run cannot report it. */
export interface ClosedByServer {
  workflowId: string;
  /** Id of the run's first execution. */
  run: string;
  /** Id of this execution: a run that was reset may be closed once more. */
  execution: string;
  pipeline: string;
  /** `terminated`, `timeout`, or that of a failure. */
  code: string;
  /** The server's reason, or the message of the failure. */
  reason: string;
  /** ISO 8601. */
  closedAt: string;
}

const REASON_LENGTH = 500;
const CHANNEL = '#errors';

/**
 * Reports in `#errors` that the server closed a run. Returns whether that is settled: reported, refused for good, or reported by another
 * worker.
 *
 * Invariants: 1. one of several workers reports it, and if that is killed another does, with the same idempotency key; 2. the settled state
 * is in the ledger, so it is not reported again. Fails with `store.unavailable`, `channel.unavailable`, and as `loadRun`.
 */
export async function tellClosed(toolbox: Toolbox, closed: ClosedByServer, signal: AbortSignal): Promise<boolean> {
  const { workflowId, run, execution, pipeline, code, reason } = closed;
  const key = { workflowId, run };
  // It belongs to another state folder, whose workers report it.
  if ((await toolbox.ledger.get(key, RUN_RECORD)) === undefined) return true;
  const settled = `run/closed-${execution}`;
  if ((await toolbox.ledger.get(key, settled)) !== undefined) return true;
  const call: ActivityCall = { key, id: `run/closed-notice-${execution}`, attempt: 1, signal, heartbeat: () => undefined };
  if (!(await beginsAlone(toolbox.ledger, call, settled))) return false;
  const error = `${code}: ${beginning(reason, REASON_LENGTH)}`;
  const message = `${pipeline} ${workflowId} was ended by the server: ${error}`;
  const how = await notify(toolbox, call, { run, channel: CHANNEL, message, end: { state: 'failed', error } }).catch(refused);
  await toolbox.ledger.putIfAbsent(key, settled, asJson(how));
  return true;
}

function refused(error: unknown): { refused: string } {
  if (error instanceof ThermidorFailure && FAILURES[error.code].retried !== 'temporal') return { refused: error.code };
  throw error;
}
