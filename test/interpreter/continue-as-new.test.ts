import { ThermidorFailure } from '../../plan/run/failure';
import type { StepOutput } from '../../plan/steps/step-activity';
import { deferred } from '../../workflows/interpreter/scheduling/deferred';
import { agent, approval, command, group, parallel, review, reviewed, wait } from '../support/steps';
import { planOf, runPlan } from '../support/world';

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
    await world.completes();
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

  const chain = (length: number) => Array.from({ length }, (_, i) => command(`s${i}`, { after: i === 0 ? [] : [`s${i - 1}`] }));

  it('loses no signal that comes while the state is handed over', async () => {
    const saving = deferred<void>();
    const world = runPlan(planOf([approval('ask', { after: [] }), ...chain(8)], {}, 'graph'), {
      activitiesPerExecution: 5,
      whileSaving: () => saving.promise,
    });
    await world.settle();
    world.signal('approve', { by: 'chairman' });
    world.signal('message', { to: 'worker', content: 'hello' });
    saving.resolve();
    await world.completes();
    expect(world.step('ask').decision).toMatchObject({ by: 'chairman' });
    expect(world.executions).toBeGreaterThan(1);
  });

  it('ends a run that is aborted while the state is handed over', async () => {
    const saving = deferred<void>();
    const world = runPlan(planOf(chain(8), {}, 'graph'), { activitiesPerExecution: 5, whileSaving: () => saving.promise });
    await world.settle();
    world.signal('abort', { by: 'ops' });
    saving.resolve();
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'run.aborted' });
    expect(world.executions).toBe(1);
  });

  it('takes a revise round along', async () => {
    const rounds: number[] = [];
    const world = runPlan(
      planOf(
        [
          ...chain(4),
          agent('draft', { after: ['s3'] }),
          review('check', 'draft', { after: ['draft'] }),
          command('publish', { after: ['check'] }),
        ],
        {},
        'graph',
      ),
      {
        activitiesPerExecution: 4,
        steps: {
          check: ({ address }): StepOutput => {
            rounds.push(address?.round ?? 0);
            return reviewed((address?.round ?? 0) < 3 ? 'revise' : 'pass');
          },
        },
      },
    );
    await world.completes();
    expect(rounds).toEqual([1, 2, 3]);
    expect(world.step('draft').superseded).toHaveLength(2);
  });
});

describe('a gate that an execution leaves open', () => {
  const busy = group('busy', [wait('w', { forMs: 1000 }), command('c'), command('d'), command('e')]);

  test('after a command that failed once is the gate that it was', async () => {
    const asks = command('asks', { approval: {}, retry: { max: 2, delayMs: 1 } });
    const world = runPlan(planOf([parallel('par', [asks, busy])]), {
      activitiesPerExecution: 5,
      steps: {
        asks: ({ address }) => {
          if (address?.try === 1) throw new ThermidorFailure('command.failed', 'x');
          return {};
        },
      },
    });
    await world.elapse();
    expect(world.executions).toBeGreaterThan(1);
    world.signal('approve', { by: 'ann' });
    await world.completes();
  });

  test.each([
    ['behind a command', command('asks', { approval: { onReject: [{ kind: 'escalate', to: { kind: 'human' } }] } })],
    ['of an approval', approval('asks', { onReject: [{ kind: 'escalate', to: { kind: 'human' } }] })],
  ])('for an escalated rejection ends the run at the second no, %s', async (_, asks) => {
    const world = runPlan(planOf([parallel('par', [asks, busy])]), { activitiesPerExecution: 4 });
    await world.settle();
    await world.update('reject', { step: 'asks', by: 'ann' });
    await world.elapse();
    expect(world.executions).toBeGreaterThan(1);
    await world.update('reject', { step: 'asks', by: 'bob' });
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'rejected', reason: expect.stringContaining('rejected by ann') });
  });
});
