import { ThermidorFailure } from '../../plan/run/failure';
import type { ForEachStep, Step } from '../../plan/steps/step';
import { DEFAULT_ITEM_POLICY, type EmitSpec, type ItemPolicy } from '../../plan/steps/stream';
import { field, type Json } from '../../plan/text/json';
import { deferred } from '../../workflows/interpreter/scheduling/deferred';
import { carry, ran, rerun } from '../interpreter/carrying';
import { need } from '../interpreter/spending';
import { fails, saying, takes } from '../support/behaviours';
import { agent, command, group, parallel, review } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World, type WorldOptions } from '../support/world';

const spec = (more: Partial<EmitSpec> = {}): EmitSpec => ({
  name: 'Item.json',
  schema: 's',
  maxItems: 100,
  maxWaiting: 20,
  key: ['id'],
  ...more,
});
const each = (steps: Step[] = [command('use')], more: Partial<ForEachStep> = {}): Step => ({
  ...{ kind: 'for_each', id: 'each', stream: 'make', block: { order: 'sequence', steps } },
  ...more,
});
const streamOf = (make: Step, loop: Step = each()) => planOf([make, loop, command('end')]);
const items = (count: number): Json[] => Array.from({ length: count }, (_, i) => ({ id: `i${i}` }));

/** A producer that emits one item each minute, and works for one more minute. */
function emitting(list: Json[], count: number): StepBehaviour {
  return async ({ call }) => {
    for (let i = 0; i < count; i++) {
      await new Promise<void>((resolve) => void call.clock.after(60_000, resolve));
      list.push({ id: `i${i}` });
      await call.wake({ workflowId: call.info.workflowId, step: 'make#1/items' });
    }
    await new Promise<void>((resolve) => void call.clock.after(60_000, resolve));
    return { artifact: artifact('made') };
  };
}

async function played(plan: ReturnType<typeof planOf>, options: WorldOptions): Promise<World> {
  const world = runPlan(plan, options);
  await world.elapse();
  return world;
}
const ids = (world: World) => world.order().map((address) => address.replace(/#1~1$/, ''));

describe('CP-11', () => {
  test('CP-11 · entry · consumers begin at once, while the producer works', async () => {
    const make: Json[] = [];
    const ended: string[] = [];
    const use: StepBehaviour = ({ address }) => {
      ended.push(`use ${address?.path[0]?.index}`);
      return {};
    };
    const producer = emitting(make, 3);
    const world = await played(streamOf(command('make', { emits: spec() })), {
      emitted: { make },
      steps: { use, make: async (seen) => Promise.resolve(producer(seen)).finally(() => ended.push('make')) },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ended).toEqual(['use 0', 'use 1', 'use 2', 'make']);
    expect(ids(world).at(-1)).toBe('end');
  });

  test('CP-11 · entry · a producer that is skipped has no items', async () => {
    const world = await played(streamOf(command('make', { emits: spec(), when: { kind: 'literal', value: false } })), {});
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['end']);
    expect(world.step('each')).toMatchObject({ state: 'done', iterations: { done: 0, total: 0 } });
  });

  test('CP-11 · success · every item is done, in the order of its recording, and the end of the producer ends the list', async () => {
    const world = await played(streamOf(command('make', { emits: spec() }), each([command('use')], { maxConcurrent: 2 })), {
      emitted: { make: items(5) },
      steps: { use: takes(1) },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['make', ...[0, 1, 2, 3, 4].map((i) => `each[${i}]/use`), 'end']);
    expect(world.composed['each#1~1/part-0']).toMatchObject({
      kind: 'iterations',
      items: [0, 1, 2, 3, 4].map((i) => artifact(`item-${i}`)),
    });
    expect(world.seen.find(({ step }) => step === 'use')?.input.loops).toEqual([
      { item: artifact('item-0'), index: 0, itemVar: 'item', indexVar: 'index' },
    ]);
  });

  test('CP-11 · workflow · an agent that is held back goes on when half of what waits is taken up', async () => {
    const make = items(4);
    const calls: number[] = [];
    const producer: StepBehaviour = () => {
      calls.push(world.order().filter((address) => address.includes('use')).length);
      return calls.length === 1 ? { paused: { kind: 'held-back' } } : { artifact: artifact('made') };
    };
    const world: World = runPlan(streamOf(agent('make', { emits: spec({ maxWaiting: 4 }) })), {
      emitted: { make },
      steps: { make: producer, use: takes(1) },
    });
    await world.completes();
    // The third of four calls has begun by then.
    expect(calls).toEqual([0, 2]);
  });

  test('CP-11 · workflow · a command whose items were all taken up in one look goes on', async () => {
    const make: Json[] = [];
    let hasRoom: () => void = () => undefined;
    const producer: StepBehaviour = async ({ call }) => {
      for (let round = 0; round < 3; round++) {
        make.push(...items(4 * (round + 1)).slice(make.length));
        const noted = new Promise<void>((resolve) => {
          hasRoom = resolve;
        });
        await call.wake({ workflowId: call.info.workflowId, step: 'make#1/items' });
        await noted;
      }
      return { artifact: artifact('made') };
    };
    const world = runPlan(streamOf(command('make', { emits: spec({ maxWaiting: 4 }) }), each([command('use')], { maxConcurrent: 2 })), {
      emitted: { make },
      onTaken: (taken) => make.length - taken < 4 && hasRoom(),
      steps: { make: producer },
    });
    await world.settle();
    expect(world.step('make').state).toBe('done');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world).filter((id) => id.startsWith('each'))).toHaveLength(12);
  });

  test.each([1, 3, 7])(
    'CP-11 · workflow · a command that is held back goes on with room for half of what may wait: %i at once',
    async (maxConcurrent) => {
      const make: Json[] = [];
      const portions: number[] = [];
      let taken = 0;
      const producer: StepBehaviour = async ({ call }) => {
        while (make.length < 100) {
          const room = Math.min(10 - (make.length - taken), 100 - make.length);
          if (room > 0) {
            portions.push(room);
            make.push(...items(make.length + room).slice(make.length));
            await call.wake({ workflowId: call.info.workflowId, step: 'make#1/items' });
          } else await new Promise<void>((resolve) => void call.clock.after(90_000, resolve));
        }
        return { artifact: artifact('made') };
      };
      const world = await played(
        streamOf(command('make', { emits: spec({ maxWaiting: 10 }) }), each([command('use')], { maxConcurrent })),
        {
          emitted: { make },
          onTaken: (most) => {
            taken = most;
          },
          steps: { make: producer, use: takes(1) },
        },
      );
      await expect(world.result).resolves.toMatchObject({ status: 'completed' });
      expect(ids(world).filter((id) => id.startsWith('each'))).toHaveLength(100);
      expect(Math.min(...portions.slice(0, -1))).toBeGreaterThanOrEqual(5);
    },
  );

  test.each(['agent', 'command'] as const)(
    'CP-11 · workflow · one place in flight is enough for an %s that is held back and those who take up its items',
    async (kind) => {
      const make: Json[] = [];
      const producer: StepBehaviour = async (seen) => {
        if (kind === 'agent' && make.length === 3) return { artifact: artifact('made') };
        make.push(...items(3));
        await seen.call.wake({ workflowId: seen.call.info.workflowId, step: 'make#1/items' });
        if (kind === 'agent') return { paused: { kind: 'held-back' } };
        await new Promise<void>((resolve) => void seen.call.clock.after(600_000, resolve));
        return { artifact: artifact('made') };
      };
      const emits = spec({ maxWaiting: 2 });
      const plan = streamOf(kind === 'agent' ? agent('make', { emits }) : command('make', { emits }));
      const world = runPlan({ ...plan, concurrent: 1 }, { emitted: { make }, steps: { make: producer } });
      await world.settle();
      for (let i = 0; i < 10; i++) await world.settle();
      expect(ids(world)).toContain('each[1]/use');
      await world.completes();
    },
  );

  test('CP-11 · fallbacks · a loop that fails and is passed over leaves its producer unread, and holds nobody back', async () => {
    const make = items(6);
    let calls = 0;
    const loop = each([command('use')], { onError: [{ kind: 'continue' }] });
    const world = await played(streamOf(agent('make', { emits: spec({ maxWaiting: 4 }) }), loop), {
      emitted: { make },
      steps: { use: fails, make: () => (++calls === 1 ? { paused: { kind: 'held-back' } } : { artifact: artifact('made') }) },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(calls).toBe(2);
    expect(ids(world)).toEqual(['make', 'each[0]/use', 'make', 'end']);
  });

  test('CP-11 · fallbacks · a producer that alone begins again once its loop is over is held back by nobody', async () => {
    let calls = 0;
    const says = saying('revise', 'pass');
    const plan = planOf(
      [
        agent('make', { after: [], emits: spec({ maxWaiting: 1 }) }),
        each([command('use')], { after: ['make'] }),
        review('judge', 'make', { after: ['make'], onRevise: [{ kind: 'retry', step: 'make', max: 1 }] }),
      ],
      {},
      'graph',
    );
    const world = await played(plan, {
      emitted: { make: items(1) },
      steps: {
        make: () => (++calls === 2 ? { paused: { kind: 'held-back' } } : { artifact: artifact('made') }),
        judge: async (seen) => {
          await takes(5)(seen);
          return says(seen);
        },
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(calls).toBe(3);
    expect(world.step('each')).toMatchObject({ state: 'done', round: 1 });
  });

  test('CP-11 · fallbacks · a producer that fails and is passed over has emitted what it has emitted', async () => {
    const world = await played(streamOf(command('make', { emits: spec(), onError: [{ kind: 'continue' }] })), {
      emitted: { make: items(2) },
      steps: { make: fails },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['make', 'each[0]/use', 'each[1]/use', 'end']);
  });

  test('CP-11 · time-out · a producer that takes too long fails, and what it has begun is called off', async () => {
    const world = await played(streamOf(command('make', { emits: spec() })), {
      emitted: { make: items(1) },
      steps: { make: fails, use: takes(60) },
    });
    await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
    expect(world.step('use').state).toBe('skipped');
  });

  test('CP-11 · continue-as-new · nothing is lost or done twice', async () => {
    const make: Json[] = [];
    const world = await played(planOf([parallel('p', [group('g', [command('make', { emits: spec() }), each()])]), command('end')]), {
      emitted: { make },
      activitiesPerExecution: 9,
      steps: {
        use: takes(2),
        make: async (seen) => {
          const call = {
            ...seen.call,
            wake: (other?: { step: string }) =>
              seen.call.wake(other && { ...other, workflowId: seen.call.info.workflowId, step: 'p[0]/g/make#1/items' }),
          };
          return emitting(make, 8)({ ...seen, call: call as never });
        },
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.executions).toBeGreaterThan(1);
    expect(ids(world).filter((id) => id.endsWith('use'))).toEqual(items(8).map((_, i) => `p[0]/g/each[${i}]/use`));
  });

  test.each([1, 3])(
    'CP-11 · continue-as-new · a command that is held back does not keep an execution from closing: %i at once',
    async (maxConcurrent) => {
      const make: Json[] = [];
      let isFull = (): boolean => make.length >= 4;
      let look: () => void = () => undefined;
      const producer: StepBehaviour = async ({ call }) => {
        for (const item of items(12)) {
          for (let looks = 0; isFull(); looks++) {
            if (looks > 50) throw new ThermidorFailure('command.timeout', 'it is held back for ever');
            const looked = new Promise<void>((resolve) => {
              look = resolve;
            });
            await call.wake({ workflowId: call.info.workflowId, step: 'make#1/items' });
            await looked;
          }
          make.push(item);
        }
        await call.wake({ workflowId: call.info.workflowId, step: 'make#1/items' });
        return { artifact: artifact('made') };
      };
      const world = await played(streamOf(command('make', { emits: spec({ maxWaiting: 4 }) }), each([command('use')], { maxConcurrent })), {
        emitted: { make },
        activitiesPerExecution: 8,
        onTaken: (taken, isUnbounded) => {
          isFull = () => !isUnbounded && make.length - taken >= 4;
          look();
        },
        steps: { make: producer },
      });
      await expect(world.result).resolves.toMatchObject({ status: 'completed' });
      expect(world.executions).toBeGreaterThan(1);
      expect(ids(world).filter((id) => id.endsWith('use'))).toHaveLength(12);
    },
  );

  test.each([
    { loop: 'whose items have more steps to come', steps: [command('use'), command('more')], state: 'done' },
    { loop: 'that has failed and waits for an operator', steps: [command('fails')], state: 'held' },
  ])('CP-11 · continue-as-new · nor does one that is held back by a loop $loop', async ({ steps, state }) => {
    const make: Json[] = [];
    let taken = 0;
    let isBound = true;
    const producer: StepBehaviour = async ({ call }) => {
      for (const item of items(20)) {
        while (isBound && make.length - taken >= 8) await new Promise<void>((resolve) => void call.clock.after(200, resolve));
        make.push(item);
        await call.wake({ workflowId: call.info.workflowId, step: 'make#1/items' });
      }
      return { artifact: artifact('made') };
    };
    const others = Array.from({ length: 12 }, (_, i) => command(`other-${i}`, { after: i === 0 ? [] : [`other-${i - 1}`] }));
    const loop = each(steps, { after: ['make'], onError: [{ kind: 'hold' }] });
    const plan = planOf([command('make', { after: [], emits: spec({ maxWaiting: 8 }) }), loop, ...others], {}, 'graph');
    const world = runPlan(plan, {
      emitted: { make },
      activitiesPerExecution: 8,
      onTaken: (now, isUnbounded) => {
        taken = now;
        isBound = !isUnbounded;
      },
      steps: { make: producer, fails, use: takes(5), more: takes(5), ...Object.fromEntries(others.map(({ id }) => [id, takes(1)])) },
    });
    const end = world.clock.now() + 600 * 60_000;
    await world.elapse(() => world.clock.now() > end);
    expect(world.executions).toBeGreaterThan(1);
    expect(world.step('make').state).toBe('done');
    expect(world.step('each').state).toBe(state);
  });

  test('CP-11 · duplicate · what is emitted twice is worked on once, and the second is journalled', async () => {
    const world = await played(streamOf(command('make', { emits: spec() })), {
      emitted: { make: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['make', 'each[0]/use', 'each[1]/use', 'end']);
    expect(world.journal().filter(({ kind }) => kind === 'pattern')).toMatchObject([
      { type: 'item', data: { key: 'a' }, from: 'make', refused: expect.any(String) },
    ]);
  });

  test('CP-11 · late answer · news of items that comes after the end of the list changes nothing', async () => {
    const use: StepBehaviour = async ({ call }) => {
      await call.wake({ workflowId: call.info.workflowId, step: 'make#1/items' });
      return await new Promise((resolve) => void call.clock.after(60_000, () => resolve({})));
    };
    const world = await played(streamOf(command('make', { emits: spec() })), { emitted: { make: items(2) }, steps: { use } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['make', 'each[0]/use', 'each[1]/use', 'end']);
  });

  test('CP-11 · fallbacks · a producer that is sent back has another stream, and its loop begins again with it', async () => {
    let tries = 0;
    const make: StepBehaviour = (seen) => {
      if (tries++ > 0) return takes(3)(seen);
      throw new ThermidorFailure('command.failed', 'exit 1');
    };
    const producer = command('make', { emits: spec(), onError: [{ kind: 'retry', step: 'make', max: 1 }] });
    const world = await played(streamOf(producer), { emitted: { make: items(2) }, steps: { make, use: takes(1) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['make', 'each[0]/use', 'make#2~1', 'each[0]/use#2~1', 'each[1]/use#2~1', 'end']);
    expect(world.step('each')).toMatchObject({ state: 'done', round: 2, iterations: { done: 2 } });
  });

  test('CP-11 · fallbacks · a producer that fails has another stream in the next try of what is around it, and its loop begins again', async () => {
    let tries = 0;
    const make: StepBehaviour = async (seen) => {
      await takes(2)(seen);
      if (tries++ === 0) throw new ThermidorFailure('command.failed', 'exit 1');
      return { artifact: artifact('made') };
    };
    const around = { ...group('g', [command('make', { emits: spec() }), each()]), retry: { max: 2, delayMs: 0 } };
    const world = await played(planOf([around]), { emitted: { make: items(2) }, steps: { make, use: takes(1) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const uses = world.order().filter((address) => address.includes('/use'));
    expect(uses).toEqual(['g/each[0]/use#1~1', 'g/each[1]/use#1~1', 'g/each[0]/use#3~1', 'g/each[1]/use#3~1']);
    expect(world.step('each')).toMatchObject({ state: 'done', round: 2, iterations: { done: 2 } });
    const said = world.journal().flatMap((entry) => (entry.kind === 'step' && entry.step === 'g/each#2' ? [entry.reason] : []));
    expect(said).toContain('its producer has begun another round: the loop begins again with its items');
  });

  test('CP-11 · silence/abstention · an item that nobody has told the run of is begun when its producer is let go on', async () => {
    const list: Json[] = [];
    let read = 0;
    let calls = 0;
    const make: StepBehaviour = async (seen) => {
      if (calls++ === 0) list.push(...(await Promise.resolve(takes(1)(seen)).then(() => items(1))));
      return list.length - read >= 1 ? { paused: { kind: 'held-back' } } : { artifact: artifact('made') };
    };
    const world = await played(streamOf(agent('make', { emits: spec({ maxWaiting: 1 }) })), {
      ...{ emitted: { make: list }, steps: { make } },
      onTaken: (taken) => {
        read = Math.max(read, taken);
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world).filter((id) => id !== 'make')).toEqual(['each[0]/use', 'end']);
  });

  test('CP-11 · success · a producer that ends with as many items waiting as may leaves its loop to its work', async () => {
    const world = await played(streamOf(command('make', { emits: spec({ maxWaiting: 4 }) })), {
      emitted: { make: items(4) },
      steps: { make: takes(1), use: takes(5) },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['make', ...[0, 1, 2, 3].map((i) => `each[${i}]/use`), 'end']);
  });

  test('CP-11 · silence/abstention · a producer that emits nothing leaves an empty list at its end', async () => {
    const world = await played(streamOf(command('make', { emits: spec() })), { emitted: { make: [] }, steps: { make: takes(5) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['make', 'end']);
    expect(world.step('each')).toMatchObject({ state: 'done', iterations: { done: 0, total: 0 } });
  });

  test('CP-11 · budget · an item that lacks budget waits at its gate, and the others are worked on', async () => {
    const use: StepBehaviour = (seen) => (seen.address?.path[0]?.index === 0 ? need(500, seen.input) : {});
    const plan = streamOf(command('make', { emits: spec() }), each([agent('use')], { maxConcurrent: 2 }));
    const world = runPlan({ ...plan, budget: { tokens: 100 } }, { emitted: { make: items(3) }, steps: { use } });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ kind: 'budget' }]);
    expect(world.step('each')).toMatchObject({ iterations: { done: 2, total: 3 } });
    await world.update('extend_budget', { tokens: 600 });
    await world.completes();
  });

  test('CP-11 · rerun from inside · the items of a producer that is carried over are those that it has left', async () => {
    const plan = streamOf(command('make', { emits: spec() }));
    const before = await ran(plan, { emitted: { make: items(2) } });
    const answer = carry(before, 'each');
    expect(Object.keys(answer.carry.records)).toEqual(['make']);
    const world = rerun(plan, answer.carry, { emitted: { make: items(2) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['each[0]/use', 'each[1]/use', 'end']);
  });

  test('CP-11 · cancel · producer and items end together', async () => {
    const world = runPlan(streamOf(command('make', { emits: spec() })), {
      emitted: { make: items(2) },
      steps: { make: takes(60), use: takes(60) },
    });
    await world.settle();
    world.cancel();
    await world.elapse();
    await expect(world.result).rejects.toThrow();
    expect(world.step('make').state).toBe('skipped');
    expect(world.step('use').state).toBe('skipped');
  });

  test('CP-11 · pause · nothing new begins, and goes on afterwards', async () => {
    const world = runPlan(streamOf(command('make', { emits: spec() })), { emitted: { make: items(2) }, steps: { use: takes(1) } });
    world.signal('pause');
    await world.elapse();
    expect(ids(world)).toEqual([]);
    world.signal('unpause');
    await world.completes();
  });

  const ordered = (list: [id: string, ...depends: string[]][]) => list.map(([id, ...depends]) => ({ id, depends }));
  const onTwoFiles = (list: [id: string, ...files: string[]][]) => list.map(([id, ...files]) => ({ id, files }));
  const policy = (more: Partial<ItemPolicy> = {}): Partial<ForEachStep> => ({
    maxConcurrent: 4,
    policy: { ...DEFAULT_ITEM_POLICY, fixes: 0, ...more },
  });
  const failing =
    (...indexes: number[]): StepBehaviour =>
    (seen) =>
      indexes.includes(seen.address?.path[0]?.index ?? -1) ? fails() : takes(1)(seen);
  const made = (list: Json[], loop = policy(), steps: WorldOptions['steps'] = {}) =>
    played(streamOf(command('make', { emits: spec({ depends: ['depends'], files: ['files'] }) }), each([command('use')], loop)), {
      emitted: { make: list },
      steps: { use: takes(1), ...steps },
    });
  const errorsIn = (world: World) =>
    Object.values(world.composed).flatMap((from) => (from.kind === 'iterations' ? Object.entries(from.errors ?? {}) : []));
  const said = (world: World) => world.journal().flatMap((entry) => (entry.kind === 'pattern' ? [entry.data] : []));

  test('CP-11 · workflow · an item waits for those that it depends on, and lets others go before', async () => {
    const world = await made(ordered([['a', 'c'], ['b'], ['c', 'b'], ['d']]));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['make', 'each[1]/use', 'each[3]/use', 'each[2]/use', 'each[0]/use', 'end']);
  });

  test('CP-11 · workflow · an item waits for those that work on one of its files, in their order', async () => {
    const world = await made(
      onTwoFiles([
        ['a', 'src/a.ts'],
        ['b', 'src'],
        ['c', 'src/c.ts'],
        ['d', 'docs'],
      ]),
    );
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['make', 'each[0]/use', 'each[3]/use', 'each[1]/use', 'each[2]/use', 'end']);
  });

  test('CP-11 · fallbacks · one failed item does not stop the others, and the output says what it failed with', async () => {
    const world = await made(ordered([['a'], ['b'], ['c']]), policy(), { use: failing(1) });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world)).toEqual(['make', ...[0, 1, 2].map((i) => `each[${i}]/use`), 'end']);
    expect(errorsIn(world)).toEqual([['1', { code: 'command.failed', message: 'step each[1]/use: disk full' }]]);
    expect(world.step('each')).toMatchObject({ state: 'done', iterations: { done: 3, total: 3 } });
  });

  test('CP-11 · fallbacks · with on_item_failed: stop the loop fails when those at work have ended', async () => {
    const world = await made(ordered([['a'], ['b'], ['c']]), policy({ onFailed: 'stop' }), { use: failing(0) });
    await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
  });

  test('CP-11 · fallbacks · the steps of an item begin again with the failure as a finding, as often as fixes says', async () => {
    const seen: unknown[] = [];
    const use: StepBehaviour = (call) => {
      seen.push(call.input.findings?.instructions);
      return seen.length < 3 ? fails() : {};
    };
    const world = await played(
      streamOf(command('make', { emits: spec() }), each([command('first'), command('use')], policy({ fixes: 2 }))),
      {
        emitted: { make: items(1) },
        steps: { use },
      },
    );
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const rounds = [1, 2, 3].flatMap((round) => [`each[0]/first#${round}~1`, `each[0]/use#${round}~1`]);
    expect(world.order().slice(1, -1)).toEqual(rounds);
    expect(seen).toEqual([undefined, ...[1, 2].map(() => expect.stringContaining('disk full'))]);
    expect(said(world)).toMatchObject([
      { key: 'i0', fix: 1 },
      { key: 'i0', fix: 2 },
    ]);
  });

  test('CP-11 · fallbacks · after the last fix an item has failed', async () => {
    const world = await made(ordered([['a'], ['b', 'a']]), policy({ fixes: 1, onAllBlocked: 'skip' }), { use: failing(0) });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().slice(1, -1)).toEqual(['each[0]/use#1~1', 'each[0]/use#2~1']);
    expect(errorsIn(world)).toMatchObject([
      ['0', { code: 'command.failed' }],
      ['1', { code: 'stream.all-blocked' }],
    ]);
  });

  test('CP-11 · time-out · an item that takes too long fails, with all that was done again', async () => {
    const world = await made(items(2), policy({ timeoutMs: 90_000, fixes: 5 }), {
      use: async (call) => {
        await takes(1)(call);
        return call.address?.path[0]?.index === 0 ? fails() : {};
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(ids(world).filter((id) => id.startsWith('each[0]'))).toEqual(['each[0]/use', 'each[0]/use#2~1']);
    expect(errorsIn(world)).toMatchObject([['0', { code: 'step.timeout' }]]);
  });

  describe('all that is left depends on what is not done', () => {
    const circle = ordered([
      ['a', 'b'],
      ['b', 'a'],
      ['c', 'nobody'],
    ]);

    test('CP-11 · fallbacks · with on_all_blocked: linear the rest goes one after the other, in order', async () => {
      const world = await made(circle, policy(), { use: takes(1) });
      await expect(world.result).resolves.toMatchObject({ status: 'completed' });
      expect(ids(world)).toEqual(['make', ...[0, 1, 2].map((i) => `each[${i}]/use`), 'end']);
      expect(said(world)).toEqual([{ all_blocked: ['a', 'b', 'c'], follows: 'linear' }]);
    });

    test('CP-11 · fallbacks · with on_all_blocked: skip the rest is left out', async () => {
      const world = await made([{ id: 'z' }, ...circle], policy({ onAllBlocked: 'skip' }));
      await expect(world.result).resolves.toMatchObject({ status: 'completed' });
      expect(ids(world)).toEqual(['make', 'each[0]/use', 'end']);
      expect(errorsIn(world).map(([index, { code }]) => [index, code])).toEqual([1, 2, 3].map((i) => [String(i), 'stream.all-blocked']));
    });

    test('CP-11 · fallbacks · with on_all_blocked: stop the loop fails', async () => {
      const world = await made(circle, policy({ onAllBlocked: 'stop' }));
      await expect(world.result).rejects.toMatchObject({ code: 'stream.all-blocked' });
    });

    test('CP-11 · workflow · nothing is blocked for good while the producer works, and what is blocked does not hold it back', async () => {
      const make: Json[] = [
        { id: 'a', depends: ['z'] },
        { id: 'b', depends: ['z'] },
        { id: 'c', depends: ['z'] },
      ];
      const emits = spec({ depends: ['depends'], maxWaiting: 2 });
      let calls = 0;
      const world = await played(streamOf(agent('make', { emits }), each([command('use')], policy())), {
        emitted: { make },
        steps: {
          make: () => {
            calls += 1;
            if (calls === 1) return { paused: { kind: 'held-back' } };
            make.push({ id: 'z' });
            return { artifact: artifact('made') };
          },
        },
      });
      await expect(world.result).resolves.toMatchObject({ status: 'completed' });
      expect(ids(world).filter((id) => id.startsWith('each'))[0]).toBe('each[3]/use');
      expect(said(world)).toEqual([]);
    });
  });

  describe('CP-11 · entry · an item from outside', () => {
    const plan = streamOf(command('make', { emits: spec() }));

    test('is taken up as any other, while the producer works', async () => {
      const world = runPlan(plan, { emitted: { make: [] }, steps: { make: takes(5) } });
      await world.settle();
      await expect(world.update('emit', { step: 'make', item: { id: 'x' }, by: 'ann' })).resolves.toMatchObject({
        outcome: 'applied',
        step: 'make',
      });
      world.signal('emit', { step: 'make', item: { id: 'y' } });
      await world.settle();
      expect(ids(world)).toEqual(['make', 'each[0]/use', 'each[1]/use']);
      expect(world.step('make').state).toBe('running');
      await world.completes();
    });

    test.each<[string, Record<string, Json>, string]>([
      ['without a step', { item: {} }, 'unreadable'],
      ['for a step that emits nothing', { step: 'end', item: {} }, 'misdirected'],
      ['for no step', { step: 'lost', item: {} }, 'misdirected'],
      ['that was there', { step: 'make', item: { id: 'i0' } }, 'duplicate'],
    ])('%s is refused by an update, and journalled as a signal', async (_, payload, outcome) => {
      const world = runPlan(plan, { emitted: { make: items(1) }, steps: { make: takes(5) } });
      await world.settle();
      await expect(world.update('emit', payload)).rejects.toMatchObject({ outcome });
      world.signal('emit', payload);
      await world.elapse();
      expect(world.journal().filter((entry) => entry.kind === 'signal')).toMatchObject([{ name: 'emit', outcome }]);
      await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    });

    test('CP-11 · late answer · an item from outside that comes too early or too late is refused', async () => {
      const world = runPlan(planOf([command('first'), ...plan.block.steps]), {
        emitted: { make: items(1) },
        steps: { first: takes(1), use: takes(5) },
      });
      await world.settle();
      await expect(world.update('emit', { step: 'make', item: {} })).rejects.toMatchObject({ outcome: 'early' });
      await world.elapse(() => world.order().includes('each[0]/use#1~1'));
      await expect(world.update('emit', { step: 'make', item: {} })).rejects.toMatchObject({ outcome: 'late' });
      await world.completes();
    });

    test('hundreds at once are recorded by a few activities, in order', async () => {
      const list: Json[] = [];
      const world = runPlan(plan, { emitted: { make: list }, steps: { make: takes(1) } });
      await world.settle();
      for (let i = 0; i < 250; i++) world.signal('emit', { step: 'make', item: { id: `x${i}` } });
      await world.completes();
      expect(world.calls.filter(({ name }) => name === 'emitItems')).toHaveLength(3);
      expect(list.map((item) => field(item, 'id'))).toEqual(Array.from({ length: 250 }, (_, i) => `x${i}`));
    });

    test('that is too large for one is refused before it costs anything', async () => {
      const world = runPlan(plan, { emitted: { make: [] }, steps: { make: takes(1) } });
      await world.settle();
      await expect(world.update('emit', { step: 'make', item: 'x'.repeat(300_000) })).rejects.toMatchObject({ outcome: 'refused' });
      expect(world.calls.filter(({ name }) => name === 'emitItems')).toEqual([]);
    });

    test('that is being recorded when the producer ends is not lost', async () => {
      let recorded: () => void = () => undefined;
      const whileEmitting = () =>
        new Promise<void>((resolve) => {
          recorded = resolve;
        });
      const world = runPlan(plan, { emitted: { make: [] }, whileEmitting, steps: { make: takes(1) } });
      await world.settle();
      world.signal('emit', { step: 'make', item: { id: 'x' } });
      await world.elapse(() => world.step('make').state === 'done');
      recorded();
      await world.completes();
      expect(ids(world)).toContain('each[0]/use');
    });
  });
});

test('a look for items that lasts, because the store takes nothing, is what the loop waits for, since it began', async () => {
  const taking = deferred<void>();
  const plan = streamOf(command('make', { emits: spec() }));
  const world = runPlan(plan, { emitted: { make: items(1) }, whileLooking: () => taking.promise, steps: { make: takes(5) } });
  const since = new Date(world.clock.now()).toISOString();
  await world.elapse();
  expect(world.step('each')).toMatchObject({ state: 'running', waitingFor: 'the new items of its stream', storeSince: since });
  taking.resolve();
  await world.completes();
  expect(world.step('each')).not.toHaveProperty('storeSince');
});
