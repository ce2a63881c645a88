import type { ControlStep } from '../../plan/steps/control';
import type { Run } from '../../workflows/interpreter/run';
import { makeFrame } from '../../workflows/interpreter/scheduling/place';
import { createScheduler } from '../../workflows/interpreter/scheduling/scheduler';
import { createSlots } from '../../workflows/interpreter/scheduling/slots';
import { freshRecord, type StepRecord } from '../../workflows/interpreter/state/step-record';

const LONG = 20_000;

/** The scheduler of a chain whose steps settle as soon as they start, with the number of its looks at records. */
function chain() {
  let looks = 0;
  const records: Record<string, StepRecord> = {};
  const watched = new Proxy(records, {
    get(target, key, receiver) {
      looks += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  const steps = Array.from(
    { length: LONG },
    (_, i): ControlStep => ({ id: `s${i}`, kind: 'wait', forMs: 1, after: i === 0 ? [] : [`s${i - 1}`] }),
  );
  const frame = makeFrame({ block: { order: 'graph', steps }, kind: 'run' });
  const run = {
    state: { records: watched, skipRest: [] },
    halted: false,
    isHeldUp: () => false,
    ending: undefined,
    drainIfDue: () => undefined,
  };
  let begun = 0;
  const slots = createSlots(1, { most: Number.POSITIVE_INFINITY, counts: () => false });
  const scheduler = createScheduler(run as unknown as Run, frame, {
    slots,
    startStep(place) {
      begun += 1;
      records[place.path] = { ...freshRecord(1), state: 'done' };
      slots.give(place.path);
      scheduler.settled(place);
    },
    takeUpStep: () => undefined,
    done: () => undefined,
  });
  return {
    scheduler,
    places: frame.places,
    sendBack(from: number, to: number) {
      const again = frame.places.slice(from, to + 1);
      for (const { path } of again) records[path] = freshRecord(2);
      scheduler.restarted(again);
    },
    counted: () => ({ looks, begun }),
  };
}

test('a step that starts, settles or runs again makes a scheduler look at its neighbours, however long the block is', () => {
  const { scheduler, sendBack, counted } = chain();
  scheduler.start();
  expect(counted().begun).toBe(LONG);
  for (let at = 1; at < LONG; at += 1) sendBack(at - 1, at);
  expect(counted().begun).toBe(LONG + 2 * (LONG - 1));
  expect(counted().looks).toBeLessThan(100 * LONG);
});

test('a chain that is sent back from its end to its beginning runs whole again', () => {
  const { scheduler, sendBack, counted } = chain();
  scheduler.start();
  sendBack(0, LONG - 1);
  expect(counted().begun).toBe(2 * LONG);
});
