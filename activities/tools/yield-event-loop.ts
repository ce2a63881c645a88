import { setImmediate } from 'node:timers/promises';

/** How long the worker's other work may wait for what a tool does in one go. */
const BREATH_MS = 20;

/** To be awaited between the parts of long work that is all computing: lets others have their turn where it is time. */
export function eventLoopYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < BREATH_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
