/** All that Jest can fake. */
const FAKEABLE = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'requestAnimationFrame', 'cancelAnimationFrame'] as const),
  ...(['requestIdleCallback', 'cancelIdleCallback', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];
type Fakeable = (typeof FAKEABLE)[number];

/**
 * Lets some ways of time stand still until a test lets it pass (`jest.advanceTimersByTime`), and no other: processes, connections and files
 * take as long as they take. `jest.useRealTimers` ends it.
 */
export function standStill(...names: Fakeable[]): void {
  jest.useFakeTimers({ doNotFake: FAKEABLE.filter((name) => !names.includes(name)) });
}

/** Alarms of one time. */
export const ALARMS = ['setTimeout', 'clearTimeout'] as const;

/** Lets so much time pass once an alarm is set. The alarm has to stay set: one that is cleared in the same turn is never seen. */
export async function ring(ms: number): Promise<void> {
  while (jest.getTimerCount() === 0) await new Promise(setImmediate);
  jest.advanceTimersByTime(ms);
}

/**
 * Blocks this process through the next alarm of so many milliseconds: it is due before anything else that happened meanwhile is seen.
 * Resolves once the process was blocked. `jest.restoreAllMocks` ends it.
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
