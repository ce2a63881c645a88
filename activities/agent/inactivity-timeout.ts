import type { Timer } from '../deadline';

/** Detects an agent that has fallen silent. Time for the runner's own work does not count. */
export interface InactivityTimeout {
  /** Waits for the agent's next word. */
  awaiting<T>(next: Promise<T>): Promise<T>;
  /** The agent gave a sign of life that is no word yet. */
  restart(): void;
  /** Does work that the agent has requested; its silence is counted anew afterwards. */
  apart<T>(work: () => Promise<T>): Promise<T>;
}

/** How long an agent may say nothing. */
export const STUCK_MS = 15 * 60 * 1000;

/** @param silent called once the agent has been silent for that long */
export function inactivityTimeout(ms: number, timer: Timer, silent: () => void): InactivityTimeout {
  let waiting = false;
  let busy = 0;
  let stop: () => void = () => undefined;
  const restart = () => {
    stop();
    stop = waiting && busy === 0 ? timer(ms, silent) : () => undefined;
  };
  return {
    async awaiting(next) {
      waiting = true;
      restart();
      try {
        return await next;
      } finally {
        waiting = false;
        restart();
      }
    },
    restart,
    async apart(work) {
      busy += 1;
      restart();
      try {
        return await work();
      } finally {
        busy -= 1;
        restart();
      }
    },
  };
}
