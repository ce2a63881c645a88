import type { WorkEnd } from '../../plan/board/member';
import type { Pause } from '../../plan/steps/step-activity';

/**
 * Ends a call that cannot continue yet: recorded turns are kept, and the next call continues after them. It passes through adapters; an
 * adapter that swallows it still ends in the same pause.
 */
export class AgentPaused extends Error {
  override readonly name = 'AgentPaused';
  constructor(readonly pause: Stop) {
    super(`paused: ${pause.kind}`);
  }
}

/** A member's work is over, and needs no further reply. */
export type Stop = Pause | { kind: 'over'; end: Exclude<WorkEnd, 'stopped'> };

/** Records that a try has to pause. The first reason counts. */
export interface PauseRequests {
  request(pause: Stop): AgentPaused;
  /** Throws if it has to pause. */
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
