import type { ActivityCall, Progress } from './activity-call';

/** The heartbeat's interval. A cancellation arrives with the answer to a heartbeat, and must reach an activity within two seconds. */
const EVERY_MS = 1000;

/**
 * Heartbeats on a timer while work runs, not when something comes: a silent agent is no lost worker.
 * `progress` says how far the work is; a number alone counts turns.
 */
export async function withHeartbeat<T>(call: ActivityCall, progress: () => Progress | number, work: () => Promise<T>): Promise<T> {
  const beat = () => {
    const here = progress();
    const sent = typeof here === 'number' ? { turn: here } : here;
    const trouble = call.notes?.trouble;
    call.heartbeat(trouble === undefined ? sent : { ...sent, trouble });
  };
  beat();
  const timer = setInterval(beat, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
