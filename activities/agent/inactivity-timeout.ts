import type { Timer } from '../deadline';

/** Watches for an agent that says nothing any more. What the runner itself does for it is no silence. */
export interface InactivityTimeout {
  /** Waits for the agent's next word. */
  awaiting<T>(next: Promise<T>): Promise<T>;
  /** The agent gave a sign of life that is no word yet. */
  restart(): void;
  /** Does what the agent has asked for; its silence is counted again afterwards. */
  apart<T>(work: () => Promise<T>): Promise<T>;
}

/** How long an agent may say nothing. */
export const STUCK_MS = 15 * 60 * 1000;

/** @param silent called once the agent has said nothing for so long */
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
