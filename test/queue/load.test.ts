import type { QueueSettings } from '../../plan/queue/queue-settings';
import { isFull } from '../../workflows/queue/machine';
import { MOST_TICKET_BYTES, MOST_TICKETS } from '../../workflows/queue/queue-state';
import { type ModelCandidate, QueueModel } from './model';

/** 200 candidates of 20 askers. In a hundred, ten conflict, five are red, and two merge without conflict but break tests. */
const ASKERS = 20;
const EACH = 10;

function candidates(): ModelCandidate[] {
  return Array.from({ length: ASKERS * EACH }, (_, i): ModelCandidate => {
    const name = `c${i}`;
    const before = [`c${i - (i % 20)}`];
    if (i % 20 === 7 || i % 20 === 14) return { name, conflicts: before };
    if (i % 20 === 3) return { name, red: true };
    if (i % 50 === 41) return { name, breaks: [`c${i - 1}`] };
    return { name };
  });
}

const expected = ({ red, conflicts, breaks }: ModelCandidate): string => (red || breaks ? 'red' : conflicts ? 'conflict' : 'merged');

test.each<[string, Partial<QueueSettings>]>([
  ['one by one', { batch: 1, speculate: 1 }],
  ['speculating', { batch: 1, speculate: 4 }],
  ['in batches', { batch: 4, speculate: 2 }],
  ['in large batches', { batch: 32, speculate: 8 }],
])('%s: green at each advance, each good one lands, each bad one goes back to who asked', (_, settings) => {
  const all = candidates();
  const model = new QueueModel(settings);
  // The askers take turns, and the queue works in the meantime.
  for (const candidate of all) {
    model.ask(candidate);
    model.settle();
  }
  model.settleAll();
  expect(model.history.filter((commit) => !model.isGreen(commit))).toEqual([]);
  expect(all.map(({ name }) => [name, model.outcomes.get(name)?.map(({ kind }) => kind)])).toEqual(
    all.map((candidate) => [candidate.name, [expected(candidate)]]),
  );
  expect(model.target.split(',').slice(1).sort()).toEqual(
    all
      .filter((candidate) => expected(candidate) === 'merged')
      .map(({ name }) => name)
      .sort(),
  );
});

test('a batch of four takes at most 1/1.6 of the tests of one by one', () => {
  const tests = (batch: number): number => {
    const model = new QueueModel({ batch, speculate: 1 });
    model.ask(...candidates());
    model.settleAll();
    return model.tests;
  };
  expect(tests(1) / tests(4)).toBeGreaterThanOrEqual(1.6);
});

describe('a queue that is full', () => {
  const asked = (i: number, text: string) => ({ kind: 'asked', asked: { workflowId: text, run: 'r', name: `${i}` } }) as const;

  test(`has ${MOST_TICKETS} tickets; the next one is refused until one has ended`, () => {
    const model = new QueueModel();
    for (let i = 0; i < MOST_TICKETS; i++) model.event(asked(i, 'w'));
    expect(isFull(model.state)).toContain(`${MOST_TICKETS} tickets`);
    model.event({ kind: 'dropped', ticket: 7 });
    model.event({ kind: 'concluded', tickets: [7], at: 'now' });
    expect(isFull(model.state)).toBeUndefined();
  });

  test('or fewer with long names: its state fits into an input', () => {
    const model = new QueueModel();
    let i = 0;
    while (isFull(model.state) === undefined) for (let end = i + 20; i < end; i++) model.event(asked(i, '€'.repeat(1000)));
    expect(i).toBeLessThan(MOST_TICKETS);
    const bytes = Buffer.byteLength(JSON.stringify(model.state));
    expect([bytes > MOST_TICKET_BYTES, bytes < 2 * 1024 * 1024]).toEqual([true, true]);
  });

  test('what ended is remembered in short', () => {
    const model = new QueueModel();
    model.event(asked(1, 'w'));
    const tail = 'x'.repeat(4000);
    const [ticket] = model.state.tickets;
    if (!ticket) throw new Error('there is no ticket');
    model.state.tickets = [];
    const outcome = { kind: 'red', onto: 'a', result: 'b', of: 'queue', reason: tail, tail } as const;
    model.state.ending = [{ number: 1, asked: ticket.asked, outcome }];
    model.event({ kind: 'concluded', tickets: [1], at: 'now' });
    expect(JSON.stringify(model.state.done).length).toBeLessThan(2500);
  });
});

test('tickets that come while an execution ends are read by the next one', () => {
  const model = new QueueModel();
  model.ask({ name: 'a' });
  model.drain();
  model.ask({ name: 'b' }, { name: 'c' });
  expect(model.pending.map(({ effect }) => effect.kind)).toEqual(['admit']);
  model.continueAsNew();
  model.settleAll();
  expect(model.target).toBe(',a,b,c');
});
