import { ThermidorFailure } from '../../plan/run/failure';
import type { Ledger } from '../../records/ledger';
import type { ActivityCall } from '../activity-call';
import { messageLog } from '../intents';

/** How long a worker that has begun may take before another does the same. */
const TAKES_MS = 120_000;

/** Whether this worker, of all that look after a run which has ended, should do something for it now. */
export async function beginsAlone(ledger: Ledger, call: ActivityCall, name: string): Promise<boolean> {
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
