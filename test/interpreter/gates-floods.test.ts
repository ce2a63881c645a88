import type { Proof } from '../../plan/people/proof';
import { JOURNAL_PAGE_ENTRIES, type JournalView } from '../../plan/run/journal';
import { agent, approval, command, input, parallel, wait } from '../support/steps';
import { sweepCount } from '../support/sweep';
import { planOf, runPlan, type World } from '../support/world';

const MANY = sweepCount(3000, 10_000);
const proof: Proof = { channel: 'slack', at: '2026-01-05T07:30:00.000Z', mac: '0'.repeat(64) };
const outcomes = (world: World): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const entry of world.journal()) if (entry.kind === 'signal') counts[entry.outcome] = (counts[entry.outcome] ?? 0) + 1;
  return counts;
};

/** Signals of people with bad intentions, or with too many of them. */
const rubbish = (i: number): [string, unknown] => {
  const all: [string, unknown][] = [
    ['approve', { by: 'eve', step: 'nowhere' }],
    ['approve', 'x'.repeat(5000)],
    ['aprove', { by: 'ann' }],
    ['reject', { stepp: 1 }],
    ['approve', { undecodable: true, encoding: 'binary/x', sizeBytes: 3 }],
    ['approve', { by: 'ann', shown: 'deadbeef' }],
    ['thermidor:parent', { kind: 'signal', name: 'thermidor:parent' }],
    ['thermidor:child', { step: 'ask', kind: 'gates' }],
    ['x'.repeat(1000), { by: 'y'.repeat(10_000) }],
  ];
  return all[i % all.length] ?? ['approve', {}];
};

describe('thousands of signals', () => {
  it('of rubbish leave a small state and a whole journal, and a decision among them is applied', async () => {
    const world = runPlan(planOf([approval('ask', { approvers: ['ann'], quorum: 1 }), command('next')]));
    await world.settle();
    for (let i = 0; i < MANY; i++) {
      world.signal(...rubbish(i));
      if (i === MANY / 2) world.signal('approve', { by: 'ann' });
      // A few come in each task, as on a server.
      if (i % 200 === 0) await world.settle();
    }
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.journal().map(({ seq }) => seq)).toEqual(world.journal().map((_, i) => i + 1));
    const { applied, ...others } = outcomes(world);
    expect(applied).toBe(1);
    expect(Object.keys(others)).toEqual(expect.arrayContaining(['unreadable', 'misdirected', 'refused', 'unknown', 'late']));
  });

  it('while nobody decides go on in fresh executions, with little in hand', async () => {
    const world = runPlan(planOf([approval('ask', { approvers: ['ann'] }), command('next')]), { activitiesPerExecution: 12 });
    await world.settle();
    for (let i = 0; i < MANY; i++) {
      world.signal(...rubbish(i));
      if (i % 100 === 0) await world.settle();
    }
    await world.settle();
    expect(world.executions).toBeGreaterThan(3);
    // The state has references to the journal's pages, one or two pages that are not stored yet, and the gate.
    expect(Math.max(...world.stateSizes)).toBeLessThan(2_000_000);
    world.signal('approve', { by: 'ann' });
    await world.settle();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    // If an execution ends while it writes a page, the next one writes the page again; the numbers of the entries show which are equal.
    const journal = new Map(world.journal().map((entry) => [entry.seq, entry]));
    expect([...journal.values()].filter(({ kind }) => kind === 'signal')).toHaveLength(MANY + 1);
    expect(Math.max(...journal.keys())).toBe(journal.size);
  });

  it('that vote count each person once, and keep no more voices than people', async () => {
    const world = runPlan(planOf([approval('ask', { approvers: ['ann', 'bob', 'cay'], quorum: 3 })]));
    await world.settle();
    for (let i = 0; i < MANY; i++) world.signal('approve', { by: i % 2 === 0 ? 'ann' : 'bob' });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ approvedBy: ['ann', 'bob'] }]);
    expect(outcomes(world)).toEqual({ applied: 2, duplicate: MANY - 2 });
    world.signal('approve', { by: 'cay' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('answers that must be checked', () => {
  it.each([
    ['proofs', approval('ask'), 'approve', { by: 'eve', proof }, 500],
    ['answers', input('ask'), 'respond', { by: 'eve', response: 1 }, 50],
  ] as const)('are checked many at a time, by one activity after the other: %s', async (_what, step, name, payload, most) => {
    const sizes: number[] = [];
    let now = 0;
    const world = runPlan(planOf([step]), {
      whileChecking: async (many) => {
        sizes.push(many);
        now += 1;
        expect(now).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
      },
      checkProof: () => ({ problem: 'no' }),
      problems: () => ['no'],
    });
    await world.settle();
    // These are fewer signals than an execution accepts.
    for (let i = 0; i < 450; i++) world.signal(name, payload);
    while (world.journal().filter(({ kind }) => kind === 'signal').length < 450) await world.settle();
    expect(sizes.length).toBe(Math.ceil(450 / most));
    expect(outcomes(world)).toEqual({ refused: 450 });
    expect(world.status().gates).toHaveLength(1);
  });

  it('more of them than may wait are refused', async () => {
    const world = runPlan(planOf([approval('ask')]), { whileChecking: () => new Promise(() => undefined) });
    await world.settle();
    for (let i = 0; i < 4100; i++) world.signal('approve', { by: 'eve', proof });
    await world.settle();
    expect(outcomes(world)).toEqual({ unavailable: 4 });
  });

  it('count in the order in which they came, whatever else is being checked', async () => {
    const forged = { ...proof, mac: '1'.repeat(64) };
    const world = runPlan(planOf([approval('ask', { approvers: ['ann', 'bob'] })]), {
      checkProof: ({ proof: { mac } }) => (mac === forged.mac ? { problem: 'no' } : {}),
    });
    await world.settle();
    world.signal('approve', { by: 'bob', proof: forged });
    world.signal('reject', { by: 'ann', proof });
    world.signal('approve', { by: 'bob', proof: { ...proof, mac: '2'.repeat(64) } });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
    expect(world.journal().flatMap((entry) => (entry.kind === 'signal' ? [`${entry.name} ${entry.outcome}`] : []))).toEqual([
      'approve refused',
      'reject applied',
      'approve late',
    ]);
  });

  it('are asked again for what one activity had no time for', async () => {
    let checked = 0;
    const world = runPlan(planOf([input('ask')]), {
      problems: () => ['no'],
      checksAtOnce: 3,
      whileChecking: async () => {
        checked += 1;
      },
    });
    await world.settle();
    for (let i = 0; i < 10; i++) world.signal('respond', { by: 'eve', response: i });
    await world.settle();
    expect(checked).toBe(4);
    expect(outcomes(world)).toEqual({ refused: 10 });
  });
});

describe('messages to an agent', () => {
  it('are kept up to so much, as all of them go to its next try at once', async () => {
    const world = runPlan(planOf([approval('ask'), agent('work')]));
    await world.settle();
    for (let i = 0; i < 100; i++) world.signal('message', { to: 'worker', content: `${i}${'x'.repeat(60_000)}` });
    await world.settle();
    expect(outcomes(world)).toEqual({ applied: 6, refused: 94 });
    world.signal('approve', {});
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen.at(-1)?.input.messages).toHaveLength(6);
  });
});

describe('signals that a step waits for', () => {
  it('are kept up to so many, and the rest is refused', async () => {
    const world = runPlan(planOf([approval('first'), wait('news', { signal: 'price' })]));
    await world.settle();
    for (let i = 0; i < 150; i++) world.signal('price', { now: i });
    await world.settle();
    expect(outcomes(world)).toEqual({ applied: 100, refused: 50 });
  });
});

describe('a state that is large', () => {
  it('is handed over whole, and goes on as it was', async () => {
    const value = 'é'.repeat(60_000);
    const gates = Array.from({ length: 30 }, (_, i) => approval(`ask${i}`, { quorum: 2 }));
    const world = runPlan(planOf([parallel('all', gates), command('next')], { concurrent: 64 }), { activitiesPerExecution: 34 });
    await world.settle();
    for (let i = 0; i < 30; i++) await world.update('approve', { step: `ask${i}`, by: 'ann', value: `${i}${value}` });
    for (let i = 0; i < 300 && world.executions === 1; i++) {
      world.signal('aprove', {});
      await world.settle();
    }
    expect(world.executions).toBe(2);
    expect(world.stateSizes.some((size) => size > 1_800_000)).toBe(true);
    for (let i = 0; i < 30; i++) await world.update('approve', { step: `ask${i}`, by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('executions', () => {
  const gate = [approval('ask', { approvers: ['ann'] }), command('next')];

  it('that have heard many signals are followed by fresh ones, though nothing else fills them', async () => {
    const world = runPlan(planOf(gate));
    await world.settle();
    for (let i = 0; i < 3000; i++) {
      world.signal(...rubbish(i));
      if (i % 50 === 0) await world.settle();
    }
    await world.settle();
    expect(world.executions).toBe(6);
    await world.update('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('do not end over signals while a step is running', async () => {
    let finish = (): void => undefined;
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const world = runPlan(planOf([agent('work')]), { steps: { work: () => work.then(() => ({})) } });
    await world.settle();
    for (let i = 0; i < 1500; i++) world.signal('aprove', {});
    await world.settle();
    expect(world.executions).toBe(1);
    finish();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('hand on an answer that is being checked: it is checked again, and counts once', async () => {
    const held: (() => void)[] = [];
    const world = runPlan(planOf(gate), {
      checkProof: () => new Promise((resolve) => held.push(() => resolve({}))),
    });
    await world.settle();
    world.signal('approve', { by: 'ann', proof });
    await world.settle();
    expect(held).toHaveLength(1);
    for (let i = 0; i < 600; i++) world.signal('aprove', {});
    await world.settle();
    expect(world.executions).toBe(2);
    expect(held).toHaveLength(2);
    held[1]?.();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(outcomes(world)).toEqual({ unknown: 600, applied: 1 });
  });

  it('that end while an answer is being checked say that it came too late', async () => {
    const world = runPlan(planOf(gate), { checkProof: () => new Promise(() => undefined) });
    await world.settle();
    world.signal('approve', { by: 'ann', proof });
    await world.settle();
    await world.update('reject', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
    expect(outcomes(world)).toEqual({ late: 1, applied: 1 });
  });
});

describe('the query for the journal', () => {
  it('shows so many entries at once, and the rest after them', async () => {
    const world = runPlan(planOf([approval('ask')]));
    await world.settle();
    for (let i = 0; i < 5000; i++) world.signal('aprove', { i });
    const first = world.query('journal') as JournalView;
    expect(first.entries.length).toBeLessThanOrEqual(4 * JOURNAL_PAGE_ENTRIES);
    expect(first.nextSeq).toBeGreaterThan(5000);
    expect(world.journal().map(({ seq }) => seq)).toEqual(Array.from({ length: first.nextSeq - 1 }, (_, i) => i + 1));
  });

  it('shows fewer if they are large', async () => {
    const world = runPlan(planOf([approval('ask')]));
    await world.settle();
    for (let i = 0; i < 1000; i++) world.signal('aprove', 'x'.repeat(1900));
    expect(JSON.stringify(world.query('journal')).length).toBeLessThan(600_000);
    expect(outcomes(world)).toEqual({ unknown: 1000 });
  });
});

describe('signals before the plan is there', () => {
  it('wait for it, as many as a server takes; more are counted', async () => {
    const world = runPlan(planOf([approval('ask')]));
    for (let i = 0; i < 10_250; i++) world.signal('aprove', {});
    await world.settle();
    expect(outcomes(world)).toEqual({ unknown: 10_000, refused: 1 });
    expect(world.journal()).toContainEqual(expect.objectContaining({ name: '*', reason: expect.stringMatching(/^250 /) }));
  });

  it('that are large find room only up to so many characters', async () => {
    const world = runPlan(planOf([approval('ask')]));
    for (let i = 0; i < 20; i++) world.signal('aprove', 'x'.repeat(1_000_000));
    await world.settle();
    expect(outcomes(world)).toEqual({ unknown: 15, refused: 1 });
  });
});
