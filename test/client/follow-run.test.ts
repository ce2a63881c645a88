import type { ThermidorClient } from '../../client/connect';
import { followRun } from '../../client/follow-run';

/** Each call that the SDK makes with an abort signal leaves a listener on it. In a run of minutes they would be many. */
test('polls for the end with a signal of their own, which hears of the caller’s', async () => {
  const handed: AbortSignal[] = [];
  const caller = new AbortController();
  const never = new Promise<never>(() => undefined);
  const client = {
    connection: {
      withAbortSignal: (signal: AbortSignal) => {
        handed.push(signal);
        return never;
      },
      withDeadline: () => never,
    },
    call: () => never,
    temporal: { workflow: { getHandle: () => ({ describe: () => never, query: () => never }) } },
  } as unknown as ThermidorClient;
  const events = followRun(client, 'run', { signal: caller.signal });
  void events.next();
  expect(handed).toHaveLength(1);
  expect(handed[0]).not.toBe(caller.signal);
  caller.abort();
  expect(handed[0]?.aborted).toBe(true);
});
