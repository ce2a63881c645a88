/** All that Jest can fake. */
const FAKEABLE = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'requestAnimationFrame', 'cancelAnimationFrame'] as const),
  ...(['requestIdleCallback', 'cancelIdleCallback', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];
type Fakeable = (typeof FAKEABLE)[number];

/**
 * Stops the named kinds of time until a test moves them (`jest.advanceTimersByTime`). Processes, connections and files take real time.
 * `jest.useRealTimers` ends it.
 */
export function standStill(...names: Fakeable[]): void {
  jest.useFakeTimers({ doNotFake: FAKEABLE.filter((name) => !names.includes(name)) });
}

/** The functions for single alarms. */
export const ALARMS = ['setTimeout', 'clearTimeout'] as const;

/** Moves the time by `ms` once an alarm is set. An alarm that is cleared in the same turn is not noticed. */
export async function ring(ms: number): Promise<void> {
  while (jest.getTimerCount() === 0) await new Promise(setImmediate);
  jest.advanceTimersByTime(ms);
}

/**
 * Blocks this process beyond the next alarm of `ms` milliseconds, so that the alarm is due before other events are seen. Resolves when the
 * process is no longer blocked. `jest.restoreAllMocks` ends it.
 */
export function blockThrough(ms: number): Promise<void> {
  const setAlarm = setTimeout;
  return new Promise((resolve) => {
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((callback, delay, ...args) => {
      if (delay !== ms) return setAlarm(callback, delay, ...args);
      const alarm = setAlarm(callback, 1, ...args);
      const due = performance.now() + 2;
      while (performance.now() < due);
      resolve();
      return alarm;
    });
  });
}
