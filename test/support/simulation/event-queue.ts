/** Future events with their moments. Events of one moment happen in the order in which they were added. */
export interface EventQueue {
  now(): number;
  /** Adds an event. Returns a function that removes it. */
  after(ms: number, act: () => void): () => void;
  /** Moves to the next moment and runs its first event; false if there is no event up to `upToMs`. */
  next(upToMs: number): boolean;
  /** Runs the next event of the present moment; false if there is none. */
  sameMoment(): boolean;
}

export function createEventQueue(startMs: number): EventQueue {
  let now = startMs;
  let order = 0;
  const entries = new Set<{ at: number; order: number; act: () => void }>();

  function first(): { at: number; order: number; act: () => void } | undefined {
    let found: { at: number; order: number; act: () => void } | undefined;
    for (const entry of entries) {
      if (!found || entry.at < found.at || (entry.at === found.at && entry.order < found.order)) found = entry;
    }
    return found;
  }

  function happen(entry: { at: number; act: () => void; order: number }): true {
    entries.delete(entry);
    now = entry.at;
    entry.act();
    return true;
  }

  return {
    now: () => now,
    after(ms, act) {
      order += 1;
      const entry = { at: now + Math.max(0, Math.round(ms)), order, act };
      entries.add(entry);
      return () => void entries.delete(entry);
    },
    next(upToMs) {
      const entry = first();
      return entry !== undefined && entry.at <= upToMs && happen(entry);
    },
    sameMoment() {
      const entry = first();
      return entry !== undefined && entry.at === now && happen(entry);
    },
  };
}
