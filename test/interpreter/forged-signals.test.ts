import { INTERNAL_SIGNALS } from '../../plan/run/child';
import type { Json } from '../../plan/text/json';
import { QUERIES } from '../../workflows/interpreter/views/queries';
import { agent, approval, command, held, pipeline } from '../support/steps';
import { artifact, planOf, runPlan, type World, type WorldOptions } from '../support/world';

/** Somebody else sends the signals that runs send each other: they wake a run, and it believes nothing in them. */

const CHILD = 'release';
const RUN = 'test-run.deploy';
const STEP = 'deploy#1~1';
const never = { build: () => new Promise<never>(() => undefined) };

const withChild = (steps: Parameters<typeof planOf>[0], more: WorldOptions = {}): World =>
  runPlan(planOf([pipeline('deploy', CHILD), command('next')], { budget: { tokens: 100 } }), {
    children: { [CHILD]: planOf(steps, { name: CHILD }) },
    ...more,
  });

/** The forged payloads by signal. None of them may change the run. */
const FORGED: Record<(typeof INTERNAL_SIGNALS)[number], readonly object[]> = {
  'thermidor:child': [
    { kind: 'ended', state: 'completed', output: { value: {} } },
    { kind: 'ended', state: 'completed', output: { artifact: artifact('theirs') } },
    { kind: 'ended', state: 'rejected', reason: 'no' },
    { kind: 'ended', state: 'cancelled', reason: 'no' },
    { kind: 'ended', state: 'failed', code: 'command.failed', message: 'no', reported: true },
    { kind: 'gates', state: 'running', gates: [] },
    { kind: 'gates', state: 'waiting', gates: [{ step: 'other', kind: 'approval', question: 'Pay?', choices: ['approve'] }] },
    { kind: 'gates', state: 'held', gates: [], held: [{ step: 'ask', reason: 'x' }] },
    { kind: 'short', amounts: { tokens: 1_000_000 } },
    { kind: 'spent', amounts: { tokens: 0 } },
  ],
  'thermidor:parent': [
    { kind: 'cancel', reason: 'no' },
    { kind: 'signal', name: 'approve', payload: { step: 'ask', by: 'ann' } },
    { kind: 'signal', name: 'reject', payload: { step: 'ask', by: 'ann' } },
    { kind: 'signal', name: 'abort', payload: { by: 'ann' } },
    { kind: 'signal', name: 'pause', payload: { by: 'ann' } },
    { kind: 'signal', name: 'approve', payload: { step: 'ask', by: 'ann' }, sealedFor: 'test-run' },
    { kind: 'granted', amounts: { tokens: 1_000_000 } },
    { kind: 'report' },
  ],
  'thermidor:spawned': [
    { children: [{ id: 'deploy#1~1/spawn-1', agent: 'worker', task: 'steal' }] },
    { kind: 'ended', state: 'completed', output: { value: {} } },
  ],
  'thermidor:task': [
    { workflowId: 'test-run', run: 'run', name: 'deploy#1~1/task' },
    { workflowId: 'x'.repeat(2000), run: 'run', name: 'x' },
    { task: { subject: 'steal' } },
  ],
  'thermidor:queue': [{ name: 'deploy#1~1/x' }, { name: '__proto__', outcome: { kind: 'merged', result: 'theirs' } }],
};
const all = INTERNAL_SIGNALS.flatMap((name) => FORGED[name].map((payload) => [name, payload] as const));
/** Values that a forger may put into a state that is read from a signal. No run would write them. */
const RUBBISH: readonly unknown[] = [
  undefined,
  null,
  7,
  'x',
  [],
  {},
  { step: 7 },
  { step: '../x' },
  { step: STEP },
  { step: 'deploy#9~9' },
];

const seen = (world: World): unknown => [world.status(), world.children.get(RUN)?.query('status')];

describe.each(INTERNAL_SIGNALS)('%s from somebody else', (name) => {
  const rows = FORGED[name];

  test.each(rows.map((payload) => [JSON.stringify(payload), payload] as const))(
    'changes neither parent nor child: %s',
    async (_text, payload) => {
      const world = withChild([approval('ask'), agent('work')]);
      await world.settle();
      const before = seen(world);
      for (const to of [world, world.children.get(RUN)]) {
        to?.signal(name, { step: STEP, ...payload });
        to?.signal(name, { step: 'ask#1~1', ...payload });
      }
      await world.settle();
      expect(seen(world)).toEqual(before);
      await world.update('approve', { by: 'ann' });
      await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    },
  );

  test.each(rows.map((payload) => [JSON.stringify(payload), payload] as const))(
    'changes no run without parent and children: %s',
    async (_text, payload) => {
      const world = runPlan(planOf([approval('ask'), command('next')]));
      await world.settle();
      const before = world.status();
      world.signal(name, { step: 'ask#1~1', ...payload });
      await world.settle();
      expect(world.status()).toEqual(before);
    },
  );

  test.each(RUBBISH.map((payload) => [JSON.stringify(payload), payload] as const))(
    'is no mistake of the run’s, whatever it brings: %s',
    async (_text, payload) => {
      const world = withChild([approval('ask')]);
      await world.settle();
      for (const to of [world, world.children.get(RUN)]) to?.signal(name, payload);
      await world.update('approve', { by: 'ann' });
      await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    },
  );

  test('is refused as an update', async () => {
    const world = withChild([approval('ask')]);
    await world.settle();
    for (const payload of rows) await expect(world.update(name, { step: STEP, ...payload })).rejects.toMatchObject({ outcome: 'unknown' });
  });
});

test('while a child starts nothing is believed either', async () => {
  let goOn: () => void = () => undefined;
  const world = withChild([approval('ask')], { whileOpeningChild: () => new Promise((resolve) => (goOn = resolve)) });
  await world.settle();
  for (const [name, payload] of all) world.signal(name, { step: STEP, ...payload });
  goOn();
  for (let i = 0; i < 6; i++) await world.settle();
  for (const [name, payload] of all) world.signal(name, { step: STEP, ...payload });
  await world.settle();
  expect(world.status()).toMatchObject({ state: 'waiting', gates: [{ step: 'deploy/ask' }] });
});

test.each([...QUERIES])('the query %s changes nothing, whatever it is asked', async (name) => {
  const world = withChild([approval('ask'), command('build', held)]);
  await world.settle();
  const before = seen(world);
  const args = [
    undefined,
    null,
    'x',
    [],
    { from: 'deploy' },
    { from: 'nowhere', again: ['next', 7] },
    { offset: -1, limit: 1e9 },
    { after: -5 },
  ];
  for (const argument of args) {
    try {
      world.query(name, argument);
    } catch {
      // Refused.
    }
  }
  expect(seen(world)).toEqual(before);
});

describe('wakes', () => {
  /** Spies on reads of another run's ledger. */
  const looks = (world: World): jest.SpyInstance => jest.spyOn(world.ledger, 'lines');
  const late = (world: World): number =>
    world.journal().filter((entry) => entry.kind === 'signal' && entry.name === 'thermidor:child' && entry.outcome === 'late').length;

  it('that come in a flood cost a look or two in each execution', async () => {
    const world = withChild([approval('ask')]);
    await world.settle();
    const spy = looks(world);
    for (let i = 0; i < 10_000; i++) {
      world.signal('thermidor:child', { step: STEP });
      world.children.get(RUN)?.signal('thermidor:parent', {});
    }
    await world.settle();
    expect(spy.mock.calls.length).toBeLessThanOrEqual(10);
    expect(late(world)).toBe(0);
  });

  it('for nobody are journalled up to so many, and cost no look', async () => {
    const world = withChild([approval('ask')]);
    await world.settle();
    const spy = looks(world);
    for (let i = 0; i < 400; i++) world.signal('thermidor:child', { step: `nowhere${i}#1~1`, kind: 'ended' });
    await world.settle();
    expect(spy).not.toHaveBeenCalled();
    expect(late(world)).toBe(100);
  });
});

describe('what is in the ledger of a child counts', () => {
  const says = (world: World, by: { workflowId: string; run: string }, news: Json): Promise<void> =>
    world.ledger.append(by, 'to/test-run', { by: 'execution', n: 1, for: 'run-1', says: news });
  const ended = { step: STEP, kind: 'ended', state: 'completed', output: { value: 7 } };

  it('even if the wake was lost: its parent looks once in a while', async () => {
    const world = withChild([command('build')], { steps: never });
    await world.settle();
    await says(world, { workflowId: RUN, run: 'run-1' }, ended);
    await world.settle();
    expect(world.step('deploy').state).toBe('running');
    await world.elapse(() => world.step('deploy').state === 'done');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.composed['deploy#1~1/compose']).toEqual({ kind: 'value', value: 7 });
  });

  it('not in that of another run under its workflow id, nor in that of any other run', async () => {
    const world = withChild([command('build')], { steps: never });
    await world.settle();
    for (const other of [
      { workflowId: RUN, run: 'run-1-2' },
      { workflowId: 'somebody', run: 'run-1' },
    ])
      await says(world, other, ended);
    for (const [name, payload] of all) world.signal(name, { step: STEP, ...payload });
    await world.elapse(() => world.clock.now() > Date.UTC(2026, 0, 6));
    expect(world.step('deploy').state).toBe('running');
  });

  it('once, in whichever execution of the parent it is heard', async () => {
    const plan = planOf([pipeline('deploy', CHILD), command('b'), command('c')]);
    const world = runPlan(plan, {
      children: { [CHILD]: planOf([approval('ask', { quorum: 3 }), command('ship')], { name: CHILD }) },
      activitiesPerExecution: 5,
    });
    for (const by of ['ann', 'bob', 'cay']) {
      await world.settle();
      await world.update('approve', { by });
      for (let i = 0; i < 600; i++) world.signal('aprove', {});
    }
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.executions).toBeGreaterThan(2);
    const heard = world.pages.flat().flatMap((entry) => (entry.kind === 'signal' && entry.reason === 'for ask' ? [entry.by] : []));
    expect(heard).toEqual(['ann', 'bob', 'cay']);
  });
});
