import { ThermidorFailure } from '../../plan/failure';
import { agent, approval, command, review, reviewed } from '../support/steps';
import { planOf, runPlan } from '../support/world';

describe('the journal', () => {
  it('has every request and reply of a run as an envelope, in order', async () => {
    const world = runPlan(planOf([agent('draft'), review('check', 'draft')]), { steps: { check: () => reviewed('pass') } });
    await world.result;
    const envelopes = world.journal().flatMap((entry) => (entry.kind === 'envelope' ? [entry.envelope] : []));
    expect(envelopes.map(({ from, to, intent }) => `${from} ${intent} ${to}`)).toEqual([
      'lead assign_task worker',
      'worker deliver_report lead',
      'lead review_request worker',
      'worker review_verdict lead',
      'lead deliver_report boss',
    ]);
    expect(envelopes[1]).toMatchObject({ ref_task: 'test-run/draft#1~1', payload: { $ref: 'draft-1-1' }, expect_response: false });
    expect(envelopes.at(-1)?.payload).toMatchObject({ message: 'pipeline complete' });
  });

  it('counts without gaps over pages, and forgets nothing', async () => {
    const world = runPlan(planOf(Array.from({ length: 400 }, (_, i) => command(`s${i}`))));
    await world.result;
    const numbers = world.journal().map((entry) => entry.seq);
    expect(numbers).toEqual(Array.from({ length: 803 }, (_, i) => i + 1));
  });
});

describe('continue-as-new', () => {
  const graph = planOf(
    [
      agent('a', { after: [] }),
      approval('ask', { after: [] }),
      command('slow', { after: [], onError: [{ kind: 'hold' }] }),
      ...Array.from({ length: 12 }, (_, i) => agent(`s${i}`, { after: [i === 0 ? 'a' : `s${i - 1}`] })),
      command('last', { after: ['ask', 's11', 'slow'], inputs: ['s11'] }),
    ],
    {},
    'graph',
  );

  it('carries completed steps, open gates and held steps, and runs no step twice', async () => {
    let fails = true;
    const world = runPlan(graph, {
      activitiesPerExecution: 6,
      steps: {
        slow: () => {
          if (!fails) return {};
          fails = false;
          throw new ThermidorFailure('command.failed', 'x');
        },
      },
    });
    await world.elapse();
    expect(world.executions).toBeGreaterThan(2);
    expect(world.status()).toMatchObject({ state: 'held', gates: [{ step: 'ask' }] });
    world.signal('retry', { step: 'slow' });
    await world.elapse();
    world.signal('approve', { by: 'chairman' });
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'completed', artifacts: { a: { name: 'a-1-1' } } });
    const starts = world.order();
    expect(new Set(starts).size).toBe(starts.length);
    expect(world.seen.at(-1)?.input.inputs).toMatchObject({ s11: { name: 's11-1-1' } });
    expect(world.journal().map((entry) => entry.seq)).toEqual(world.journal().map((_, i) => i + 1));
  });

  it('lets activities in flight end first', async () => {
    let finish: () => void = () => undefined;
    const world = runPlan(
      planOf(
        [command('slow', { after: [] }), ...Array.from({ length: 8 }, (_, i) => command(`s${i}`, { after: i === 0 ? [] : [`s${i - 1}`] }))],
        {},
        'graph',
      ),
      {
        activitiesPerExecution: 5,
        steps: {
          slow: () =>
            new Promise((resolve) => {
              finish = () => resolve({});
            }),
        },
      },
    );
    await world.settle();
    expect(world.executions).toBe(1);
    finish();
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().filter((address) => address.startsWith('slow'))).toHaveLength(1);
    expect(world.executions).toBeGreaterThan(1);
  });

  it('keeps the absolute deadline of a gate', async () => {
    const world = runPlan(
      planOf(
        [
          approval('ask', { after: [], timeoutMs: 60_000, onTimeout: 'reject' }),
          ...Array.from({ length: 8 }, (_, i) => command(`s${i}`, { after: i === 0 ? [] : [`s${i - 1}`] })),
        ],
        {},
        'graph',
      ),
      { activitiesPerExecution: 4 },
    );
    const started = world.clock.now();
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
    expect(world.clock.now() - started).toBe(60_000);
    expect(world.executions).toBeGreaterThan(1);
  });
});
