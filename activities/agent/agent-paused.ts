import type { Pause } from '../../plan/steps/step-activity';

/**
 * Ends a call that cannot continue yet: recorded turns are kept, and the next call continues after them. It passes through
 * adapters; what swallows it none the less ends in the same pause.
 */
export class AgentPaused extends Error {
  override readonly name = 'AgentPaused';
  constructor(readonly pause: Pause) {
    super(`paused: ${pause.kind}`);
  }
}

/** Where a try notes that it has to pause. The first reason counts. */
export interface PauseRequests {
  request(pause: Pause): AgentPaused;
  /** Throws where it has to. */
  check(): void;
}

export function openPauseRequests(): PauseRequests {
  let paused: AgentPaused | undefined;
  return {
    request(pause) {
      paused ??= new AgentPaused(pause);
      return paused;
    },
    check() {
      if (paused) throw paused;
    },
  };
}
