import { createWaits, type Waits } from '../../workflows/interpreter/waits';
import { Cancelled, type RunContext } from '../../workflows/run-context';

/** Tests the waits of a run's coroutines. A run may continue as new only when all of them wait. */
function open(): { waits: Waits; allWaited: () => number; clock: ReturnType<typeof clockOf> } {
  const clock = clockOf();
  let count = 0;
  const waits = createWaits(clock.ctx as RunContext, () => {
    count += 1;
  });
  return { waits, clock, allWaited: () => count };
}

/** Timers that fire when a test says so. */
function clockOf() {
  let nowMs = 0;
  const timers: { dueMs: number; settle: () => void; cancel: () => void }[] = [];
  const ctx: Pick<RunContext, 'now' | 'timer'> = {
    now: () => nowMs,
    timer(ms) {
      let cancel = (): void => undefined;
      const promise = new Promise<void>((resolve, reject) => {
        cancel = () => reject(new Cancelled());
        timers.push({ dueMs: nowMs + ms, settle: resolve, cancel });
      });
      promise.catch(() => undefined);
      return { promise, cancel };
    },
  };
  return {
    ctx,
    to(ms: number) {
      nowMs = ms;
      for (const { dueMs, settle } of timers) if (dueMs <= ms) settle();
    },
  };
}

/** Runs all reactions to the promises that are settled. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const outcomeOf = (promise: Promise<unknown>): { readonly outcome: unknown } => {
  const seen: { outcome: unknown } = { outcome: 'pending' };
  promise.then(
    (value) => {
      seen.outcome = value;
    },
    (error: unknown) => {
      seen.outcome = error instanceof Cancelled ? 'cancelled' : error;
    },
  );
  return seen;
};

test('all wait when the last coroutine that did not begins to, or ends', async () => {
  const { waits, allWaited } = open();
  const end = waits.begin();
  waits.begin();
  expect(waits.all).toBe(false);
  void waits.sleepUntilWoken('gate:a');
  expect([waits.all, allWaited()]).toEqual([false, 0]);
  end();
  expect([waits.all, allWaited()]).toEqual([true, 1]);
});

test('a coroutine no longer waits once it is woken, before its code continues', async () => {
  const { waits } = open();
  waits.begin();
  const woken = outcomeOf(waits.sleepUntilWoken('gate:a'));
  waits.wake('gate:a');
  expect([waits.all, woken.outcome]).toEqual([false, 'pending']);
  await settled();
  expect([waits.all, woken.outcome]).toEqual([false, undefined]);
});

test('one wake reaches all who sleep under the name, and nobody who sleeps later', async () => {
  const { waits } = open();
  waits.begin();
  waits.begin();
  const both = [waits.sleepUntilWoken('gate:a'), waits.sleepUntilWoken('gate:a')].map(outcomeOf);
  waits.wake('gate:a');
  await settled();
  const later = outcomeOf(waits.sleepUntilWoken('gate:a'));
  await settled();
  expect([...both, later].map(({ outcome }) => outcome)).toEqual([undefined, undefined, 'pending']);
});

test('a wake that nobody sleeps for is not kept', async () => {
  const { waits } = open();
  waits.begin();
  waits.wake('gate:a');
  const late = outcomeOf(waits.sleepUntilWoken('gate:a'));
  await settled();
  expect(late.outcome).toBe('pending');
});

test('a moment comes: true; a wake before it: false', async () => {
  const { waits, clock } = open();
  waits.begin();
  waits.begin();
  const [due, woken] = [waits.until(1000, 'a', 'news:a'), waits.until(1000, 'b', 'news:b')].map(outcomeOf);
  waits.wake('news:b');
  await settled();
  expect([due?.outcome, woken?.outcome]).toEqual(['pending', false]);
  clock.to(1000);
  await settled();
  expect(due?.outcome).toBe(true);
});

test('a coroutine no longer waits once its moment has come, before its code continues', async () => {
  const { waits, clock } = open();
  waits.begin();
  const due = outcomeOf(waits.until(1000, 'a'));
  expect(waits.all).toBe(true);
  clock.to(1000);
  await Promise.resolve();
  expect([waits.all, due.outcome]).toEqual([false, 'pending']);
});

test('what is parked on a promise waits until that settles, however', async () => {
  const { waits } = open();
  waits.begin();
  const failing = outcomeOf(waits.parked(Promise.reject(new Error('no'))));
  expect(waits.all).toBe(true);
  await settled();
  expect([waits.all, failing.outcome]).toEqual([false, new Error('no')]);
});

test('an interrupt rejects what sleeps and what is timed within a place; the place itself only if it is meant', async () => {
  const { waits } = open();
  for (let i = 0; i < 4; i += 1) waits.begin();
  const [within, timed, itself, beside] = [
    waits.sleepUntilWoken('gate:in', 'loop[1]/ask'),
    waits.until(1000, 'loop[2]/wait'),
    waits.sleepUntilWoken('gate:loop', 'loop'),
    waits.sleepUntilWoken('gate:looped', 'looped'),
  ].map(outcomeOf);
  const outcomes = () => [within, timed, itself, beside].map((one) => one?.outcome);
  waits.interrupt('loop');
  expect(waits.all).toBe(false);
  await settled();
  expect(outcomes()).toEqual(['cancelled', 'cancelled', 'pending', 'pending']);
  waits.interrupt('loop', 'itself');
  await settled();
  expect(outcomes()).toEqual(['cancelled', 'cancelled', 'cancelled', 'pending']);
});

test('an interrupt of the run rejects all, also what sleeps at no place', async () => {
  const { waits } = open();
  waits.begin();
  waits.begin();
  const all = [waits.sleepUntilWoken('updates'), waits.until(1000, 'a')].map(outcomeOf);
  waits.interruptAll();
  await settled();
  expect(all.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
});

test('who sleeps to the end of the run is not waited for', async () => {
  const { waits } = open();
  waits.begin();
  void outcomeOf(waits.sleepToTheEnd('ending'));
  expect(waits.all).toBe(false);
});

test('an alarm wakes who sleeps by its name, and is no wait', async () => {
  const { waits, clock, allWaited } = open();
  waits.begin();
  waits.alarm(100, 'a', 'votes');
  expect(allWaited()).toBe(0);
  const first = outcomeOf(waits.sleepUntilWoken('votes', 'a'));
  waits.wake('votes');
  await settled();
  const second = outcomeOf(waits.sleepUntilWoken('votes', 'a'));
  expect([first.outcome, second.outcome]).toEqual([undefined, 'pending']);
  clock.to(100);
  await settled();
  expect(second.outcome).toBeUndefined();
});

test('an alarm that is unset, or whose place is interrupted, wakes nobody', async () => {
  const { waits, clock } = open();
  waits.begin();
  waits.alarm(100, 'a', 'votes')();
  waits.alarm(100, 'b/c', 'votes');
  const sleeper = outcomeOf(waits.sleepUntilWoken('votes', 'a'));
  waits.interrupt('b');
  clock.to(100);
  await settled();
  expect(sleeper.outcome).toBe('pending');
});
