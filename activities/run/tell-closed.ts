import { FAILURES, ThermidorFailure } from '../../plan/run/failure';
import { beginning } from '../../plan/text/shortened';
import { RUN_RECORD } from '../../records/runs/run-record';
import { asJson } from '../../records/stored-json';
import type { ActivityCall } from '../activity-call';
import { notify } from '../gates/notify';
import { messageLog } from '../intents';
import type { Toolbox } from '../toolbox';

/** An execution that the server itself closed: the run cannot report it. */
export interface ClosedByServer {
  workflowId: string;
  /** Id of the run's first execution. */
  run: string;
  /** Id of this execution: a run that was reset may be closed once more. */
  execution: string;
  pipeline: string;
  code: 'terminated' | 'timeout';
  /** The server's reason. */
  reason: string;
}

/** How long a worker that has begun to report it may take before another does. */
const TAKES_MS = 120_000;
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
  if (!(await isOurs(toolbox, call, settled))) return false;
  const error = `${code}: ${beginning(reason, REASON_LENGTH)}`;
  const message = `${pipeline} ${workflowId} was ended by the server: ${error}`;
  const how = await notify(toolbox, call, { run, channel: CHANNEL, message, end: { state: 'failed', error } }).catch(refused);
  await toolbox.ledger.putIfAbsent(key, settled, asJson(how));
  return true;
}

/** Whether this worker should report the end. */
async function isOurs({ ledger }: Toolbox, call: ActivityCall, name: string): Promise<boolean> {
  const log = await ledger.recordLog(call.key, messageLog(call));
  try {
    const last = log.begins(name).at(-1);
    if (last !== undefined && Date.now() - last < TAKES_MS) return false;
    await log.claim([name]);
    const before = log.begins(name).at(-1);
    if (before !== last) return false;
    await log.begin(name);
    return log.begins(name).at(-2) === last;
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'worker.lost') return false;
    throw error;
  } finally {
    await log.close();
  }
}

function refused(error: unknown): { refused: string } {
  if (error instanceof ThermidorFailure && FAILURES[error.code].retried !== 'temporal') return { refused: error.code };
  throw error;
}
