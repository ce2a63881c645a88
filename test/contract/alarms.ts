import { REAL_TIMER, type Timer } from '../../activities/deadline';

/** The runner's clock. It does not move; a rule makes an alarm ring. */
export interface Alarms {
  timer: Timer;
  /** Lengths of those that are set, in milliseconds. */
  set(): readonly number[];
  /** How many of that length were set so far. */
  count(ms: number): number;
  /** Rings those of that length; an error where none is set. */
  ring(ms: number): void;
}

/** No rule waits for a shorter alarm, which may be the adapter's own time-out. */
const SHORT_MS = 100;

export function alarmClock(): Alarms {
  const pending = new Set<{ ms: number; ring: () => void }>();
  const lengths: number[] = [];
  return {
    timer(ms, ring) {
      if (ms < SHORT_MS) return REAL_TIMER(ms, ring);
      const alarm = { ms, ring };
      lengths.push(ms);
      pending.add(alarm);
      return () => void pending.delete(alarm);
    },
    set: () => [...pending].map(({ ms }) => ms),
    count: (ms) => lengths.filter((length) => length === ms).length,
    ring(ms) {
      const due = [...pending].filter((alarm) => alarm.ms === ms);
      if (due.length === 0) throw new Error(`no alarm of ${ms} ms is set`);
      for (const alarm of due) {
        pending.delete(alarm);
        alarm.ring();
      }
    },
  };
}
