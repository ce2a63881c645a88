import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { failureRecord } from '../../workflows/interpreter/context/scope-log';
import { Cancelled } from '../../workflows/run-context';
import { command, withParts } from '../support/steps';
import { artifact, planOf, runPlan, type World } from '../support/world';
import { freshly, type Program, programs } from './program';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Calls an activity under an address of its own. */
const called = (ctx: Parameters<Program>[0], address: string, key: string) =>
  ctx.call(key, 'compose', () => ({ run: 'run-1', from: { kind: 'value', value: key } }), {
    address: `${address}/${key}`,
    startToCloseMs: 1000,
  });

const addressesOf = (world: World): string[] => world.calls.map(({ options }) => options.address ?? '');

/** Plays the code of one step, with a fresh execution at each of its waits. */
async function played(
  program: Program,
  more: Parameters<typeof runPlan>[1] & { step?: Parameters<typeof withParts>[2] } = {},
): Promise<World> {
  const fresh = freshly();
  const { step, ...options } = more;
  const world = runPlan(planOf([withParts('own', [command('part')], step)]), {
    historyIsFull: fresh.historyIsFull,
    work: programs({ own: program }),
    ...options,
  });
  await fresh.toTheEnd(world);
  return world;
}

describe('a step’s code', () => {
  it('gets from the log what its calls have brought, and makes none of them twice', async () => {
    const got: Json[] = [];
    const world = await played(async (ctx, { address }) => {
      for (const key of ['a', 'b', 'c']) {
        got.push({ ...(await called(ctx, address, key)).artifact } as Json);
        await ctx.sleep(`rest-${key}`, HOUR);
      }
    });
    await world.result;
    expect(world.executions).toBe(5);
    expect(addressesOf(world)).toEqual(['own#1~1/a', 'own#1~1/b', 'own#1~1/c']);
    // Each result is got in the execution that made the call, and again in each later one in which the code ran.
    expect(got.length).toBeGreaterThan(6);
    expect(new Set(got.map((one) => JSON.stringify(one))).size).toBe(3);
  });

  it('decides once, and does what it does synchronously once', async () => {
    const moments = new Set<number>();
    let effects = 0;
    const world = await played(async (ctx, { it: interpreter }) => {
      moments.add(ctx.once('now', () => interpreter.run.ctx.now()));
      ctx.once('effect', () => {
        effects += 1;
      });
      for (const turn of [1, 2, 3]) await ctx.sleep(`rest-${turn}`, HOUR);
    });
    await world.result;
    expect(world.executions).toBe(5);
    expect([moments.size, effects]).toEqual([1, 1]);
  });

  it('sleeps until a moment, whatever executions lie between', async () => {
    const ends: number[] = [];
    const world = await played(async (ctx, { it: interpreter }) => {
      const from = ctx.once('from', () => interpreter.run.ctx.now());
      await ctx.sleep('long', 3 * HOUR);
      ends.push(interpreter.run.ctx.now() - from);
    });
    await world.result;
    expect(world.executions).toBe(3);
    expect(ends).toEqual([3 * HOUR]);
  });

  it.each([
    ['another call than the log has', 'b'],
    ['the same call in another kind', 'once'],
    ['fewer calls than the log has', 'none'],
  ])('fails with step.program-changed where it makes %s, and is not tried again', async (_what, later) => {
    let executions = 0;
    const world = await played(
      async (ctx, { address }) => {
        executions += 1;
        const which = executions === 1 ? 'a' : later;
        if (which === 'once') ctx.once('a', () => 1);
        else if (which !== 'none') await called(ctx, address, which);
        if (which !== 'none') await ctx.sleep('rest', HOUR);
      },
      { step: { retry: { max: 3 } } },
    );
    await expect(world.result).rejects.toMatchObject({ code: 'step.program-changed' });
    expect(world.step('own').try).toBe(1);
  });

  it('makes one call at a time', async () => {
    const world = await played(async (ctx, { address }) => {
      const first = called(ctx, address, 'a');
      await Promise.all([first, called(ctx, address, 'b')]);
    });
    await expect(world.result).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining('call "a" is running') });
  });

  it('has a failure as a value, the same in each execution', async () => {
    const seen: string[] = [];
    let failed = 0;
    const world = await played(async (ctx) => {
      const tried = await ctx.attempt(() =>
        ctx.through('work', () => {
          failed += 1;
          return Promise.reject(new ThermidorFailure('command.failed', 'it failed', { exit: 3 }));
        }),
      );
      seen.push(JSON.stringify('failure' in tried ? { failure: failureRecord(tried.failure) } : tried));
      await ctx.sleep('rest', HOUR);
    });
    await world.result;
    expect([world.executions, seen.length, failed]).toEqual([3, 3, 1]);
    expect([...new Set(seen)]).toEqual([
      JSON.stringify({ failure: { code: 'command.failed', message: 'it failed', details: { exit: 3 } } }),
    ]);
  });

  it('never has its own end as a value, and does not go on after it', async () => {
    const caught: string[] = [];
    const world = runPlan(planOf([withParts('own')]), {
      work: programs({
        own: async (ctx) => {
          await ctx
            .attempt(() => ctx.sleep('rest', HOUR))
            .catch((error: unknown) => caught.push(error instanceof Cancelled ? 'rest' : 'other'));
          try {
            ctx.once('after', () => caught.push('went on'));
          } catch (error) {
            caught.push(error instanceof Cancelled ? 'after' : 'other');
            throw error;
          }
        },
      }),
    });
    await world.settle();
    world.cancel();
    await world.elapse();
    await expect(world.result).rejects.toBeInstanceOf(Cancelled);
    expect(caught).toEqual(['rest', 'after']);
  });

  it('has an empty log in a new try, and makes its calls under that one’s address', async () => {
    let fails = 1;
    const world = await played(
      async (ctx, { address }) => {
        await called(ctx, address, 'a');
        await ctx.sleep('rest', MINUTE);
        if (fails-- > 0) throw new ThermidorFailure('command.failed', 'it failed');
      },
      { step: { retry: { max: 2 } } },
    );
    await world.result;
    expect(addressesOf(world)).toEqual(['own#1~1/a', 'own#1~2/a']);
  });

  it('takes what comes from outside once, and remembers that it did not come', async () => {
    const box = ['first', 'second'];
    const got: (string | undefined)[][] = [];
    const world = await played(async (ctx, { it: interpreter }) => {
      const letter = await ctx.awaited('letter', { sleeper: 'box' }, () => box.shift());
      const other = await ctx.awaited('other', { sleeper: 'nobody', dueMs: interpreter.run.ctx.now() + HOUR }, () => undefined);
      await ctx.sleep('rest', HOUR);
      got.push([letter, other]);
    });
    await world.result;
    expect(got).toEqual([['first', undefined]]);
    expect(box).toEqual(['second']);
  });

  it('asks people once, and has their answer in every execution', async () => {
    const fresh = freshly();
    const answers: (string | undefined)[] = [];
    const world = runPlan(planOf([withParts('own')]), {
      historyIsFull: fresh.historyIsFull,
      work: programs({
        own: async (ctx) => {
          answers.push((await ctx.gate('ask', { kind: 'approval', show: [] })).by);
          await ctx.sleep('rest', HOUR);
        },
      }),
    });
    await world.settle();
    await fresh.again(world);
    world.signal('approve', { by: 'ann' });
    await fresh.again(world);
    await fresh.toTheEnd(world);
    await world.result;
    expect(world.gateInputs).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set(['ann']));
    expect(world.executions).toBeGreaterThan(2);
  });
});

describe('what a step does in turns', () => {
  it.each([
    [60_000, 'completed'],
    [100_001, 'failed'],
  ])('is stopped if it never waits, and may take turns for years if it does: %d in each of two executions', async (many, end) => {
    const world = await played(async (ctx) => {
      await ctx.loop<null, null>('turns', null, async (inner, _, turn) => {
        if (turn % many === 0) await inner.sleep('pause', MINUTE);
        return turn === 2 * many ? { done: null } : { next: null };
      });
    });
    const ended = await world.result.then(
      ({ status }) => status,
      () => 'failed',
    );
    expect(ended).toBe(end);
  });

  it('keeps the last state alone: sixty turns take no more room than two', async () => {
    const world = await played(async (ctx, { part }) => {
      const sum = await ctx.loop<number, number>('turns', 0, async (inner, state, turn) => {
        await inner.step(part('part'), { turn, given: { last: artifact('last') } });
        await inner.sleep('pause', MINUTE);
        return turn === 60 ? { done: state + turn } : { next: state + turn };
      });
      ctx.once('sum', () => sum);
      await ctx.sleep('rest', HOUR);
      if (sum !== 1830) throw new Error(`${sum} is not the sum`);
    });
    await world.result;
    expect(world.executions).toBeGreaterThan(60);
    expect(world.order()).toEqual(Array.from({ length: 60 }, (_, i) => `own[${i + 1}]/part#1~1`));
    expect(world.status().steps.filter(({ id }) => id === 'part')).toHaveLength(1);
    // The records do not grow. The journal does, and it goes to the store page by page.
    const recordsAt = (state: number) => JSON.stringify(world.states[state]?.records).length;
    expect(recordsAt(58)).toBeLessThan(recordsAt(1) + 40);
  });
});
