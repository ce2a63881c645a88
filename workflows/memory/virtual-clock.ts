/** Time that passes only on request. Timers fire in order of their moment, those of one moment in the order they were set. */
export interface VirtualClock {
  now(): number;
  after(ms: number, ring: () => void): () => void;
  /** Moves to the next timer and fires it; false if there is none. */
  tick(): boolean;
  readonly pending: number;
}

interface Alarm {
  at: number;
  order: number;
  ring: () => void;
}

export function createVirtualClock(startMs: number): VirtualClock {
  let now = startMs;
  let order = 0;
  const alarms = new Set<Alarm>();
  return {
    now: () => now,
    after(ms, ring) {
      order += 1;
      const alarm = { at: now + Math.max(0, ms), order, ring };
      alarms.add(alarm);
      return () => alarms.delete(alarm);
    },
    tick() {
      let next: Alarm | undefined;
      for (const alarm of alarms) {
        if (!next || alarm.at < next.at || (alarm.at === next.at && alarm.order < next.order)) next = alarm;
      }
      if (!next) return false;
      alarms.delete(next);
      now = next.at;
      next.ring();
      return true;
    },
    get pending() {
      return alarms.size;
    },
  };
}
