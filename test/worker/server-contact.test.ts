import { setImmediate as turn } from 'node:timers/promises';
import { ThermidorFailure } from '../../plan/run/failure';
import { watchContact } from '../../worker/server-contact';

/** Watches a server with a clock that only the test moves. `answers` is the behaviour of the server. */
async function watched(answers: () => Promise<unknown>, of: 'server' | 'store' = 'server') {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  const logged: string[] = [];
  const reported: (string | undefined)[] = [];
  const stop = watchContact(
    of,
    answers,
    (level, message) => logged.push(`${level} ${message}`),
    (problem) => reported.push(problem),
    { everyMs: 5_000, lostAfterMs: 15_000 },
  );
  return {
    logged,
    reported,
    stop,
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        jest.advanceTimersByTime(1000);
        await turn();
      }
    },
  };
}

afterEach(() => jest.useRealTimers());

test('a server that is silent for 15 s is lost, once; as soon as it answers, it is there again', async () => {
  let there = true;
  const watch = await watched(() => (there ? Promise.resolve() : Promise.reject(new Error('gone'))));
  await watch.pass(60);
  there = false;
  await watch.pass(14);
  expect(watch.reported).toEqual([]);
  await watch.pass(60);
  expect(watch.reported).toEqual(['the server has not answered for 15 s']);
  there = true;
  await watch.pass(5);
  expect(watch.reported).toEqual(['the server has not answered for 15 s', undefined]);
  expect(watch.logged).toEqual([expect.stringContaining('warn the server has not answered for 15 s'), expect.stringContaining('info')]);
  watch.stop();
});

test('a store that is away is reported with its own reason, and nothing else that an error may say', async () => {
  const unavailable = new ThermidorFailure('store.unavailable', 'the store db/x cannot be used: nothing listens there');
  let problem: Error = unavailable;
  const watch = await watched(() => Promise.reject(problem), 'store');
  await watch.pass(20);
  expect(watch.reported).toEqual(['the store has not answered for 15 s: the store db/x cannot be used: nothing listens there']);
  watch.stop();
  problem = new Error('connect postgres://me:hunter2@db');
  const other = await watched(() => Promise.reject(problem), 'store');
  await other.pass(20);
  expect(other.reported).toEqual(['the store has not answered for 15 s']);
  other.stop();
});

test('a server that is away for a moment is not lost', async () => {
  let asked = 0;
  const watch = await watched(() => (asked++ % 3 === 2 ? Promise.resolve() : Promise.reject(new Error('busy'))));
  await watch.pass(300);
  expect(watch.reported).toEqual([]);
  watch.stop();
});

test('a question that is still open is not asked again, and nothing is asked after the end', async () => {
  let asked = 0;
  const watch = await watched(() => {
    asked += 1;
    return new Promise(() => undefined);
  });
  await watch.pass(60);
  expect(asked).toBe(1);
  watch.stop();
  const again = await watched(() => Promise.resolve(asked++));
  again.stop();
  await again.pass(60);
  expect(asked).toBe(1);
});
