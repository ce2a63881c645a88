import { setImmediate } from 'node:timers/promises';

/** How long a tool may block the worker's other work in one go. */
const BREATH_MS = 20;

/** Must be awaited between the parts of long computations: lets others have their turn when it is time. */
export function eventLoopYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < BREATH_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
