import type { Pause } from '../../plan/step-work';

/**
 * Ends a call that cannot continue yet: recorded turns are kept, and the next call continues after them. It passes through
 * adapters; what swallows it none the less ends in the same pause.
 */
export class Held extends Error {
  override readonly name = 'Held';
  constructor(readonly pause: Pause) {
    super(`held: ${pause.kind}`);
  }
}

/** Where a try notes that it has to pause. The first reason counts. */
export interface Holds {
  hold(pause: Pause): Held;
  /** Throws where it has to. */
  check(): void;
}

export function openHolds(): Holds {
  let held: Held | undefined;
  return {
    hold(pause) {
      held ??= new Held(pause);
      return held;
    },
    check() {
      if (held) throw held;
    },
  };
}
