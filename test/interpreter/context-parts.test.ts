import { ThermidorFailure } from '../../plan/run/failure';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import type { AllEnd, PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { agent, approval, command, withParts } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { freshly, type Program, programs } from './program';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An agent that answers `value` after a while. */
function says(value: string, afterMs = 0): StepBehaviour {
  return async ({ step, address, call }) => {
    if (afterMs > 0) await new Promise<void>((resolve) => call.clock.after(afterMs, resolve));
    return { artifact: artifact(`${step}-${address?.round}-${value}`), values: { vote: value } } satisfies StepOutput;
  };
}

const voteOf = (end: unknown): Json | undefined => (end as PartEnd).values?.['vote'];

/** Two voters and, if they do not agree, another round about the revised proposals; a person decides after the last round. */
const ROUNDS = 2;
const consensus: Program = async (ctx, { part }) => {
  await ctx.loop('rounds', { proposal: artifact('first') }, async (inner, { proposal }, turn) => {
    const voters = Object.fromEntries(['security', 'legal'].map((id) => [id, { part: part(id), turn, given: { proposal } }]));
    const votes = await inner.all('votes', voters, { timeoutMs: HOUR });
    const passed = inner.once('tally', () => Object.values(votes.ended).filter((end) => voteOf(end) === 'yes').length === 2);
    if (passed) return { done: 'passed' };
    if (turn === ROUNDS) {
      await inner.step(part('person'), { turn });
      return { done: 'by a person' };
    }
    const revised = await inner.step(part('revise'), { turn, given: { proposal } });
    return { next: { proposal: revised.artifact ?? proposal } };
  });
};

const PLAN = planOf([
  withParts('decide', [agent('security'), agent('legal', { retry: { max: 2 } }), command('revise'), approval('person')]),
  command('after', { inputs: ['decide'] }),
]);

const decided = (options: WorldOptions): World => runPlan(PLAN, { work: programs({ decide: consensus }), ...options });

describe('a protocol over parts of the plan', () => {
  it('runs each part at an address of its own, as a step of the file', async () => {
    let tries = 0;
    const world = decided({
      steps: {
        security: says('yes'),
        legal: (seen) => {
          tries += 1;
          if (tries === 1) throw new ThermidorFailure('model.bad-request', 'no');
          return says('yes')(seen);
        },
      },
    });
    await world.completes();
    expect(world.order()).toEqual(['decide[1]/security#1~1', 'decide[1]/legal#1~1', 'decide[1]/legal#1~2', 'after#1~1']);
    expect(world.seen[0]?.input.inputs).toEqual({ proposal: artifact('first') });
    expect(world.status().steps.map(({ address, state }) => `${address} ${state}`)).toEqual([
      'decide done',
      'decide[1]/security done',
      'decide[1]/legal~2 done',
      'after done',
    ]);
    expect(world.journal().flatMap((entry) => (entry.kind === 'step' ? [`${entry.step} ${entry.state}`] : []))).toContain(
      'decide[1]/legal done',
    );
  });

  it('goes through revision, a second round and a person, in a fresh execution at each wait, and does nothing twice', async () => {
    const fresh = freshly();
    const world = decided({
      historyIsFull: fresh.historyIsFull,
      steps: { security: says('yes', MINUTE), legal: says('no', 2 * MINUTE), revise: says('again') },
    });
    await fresh.toTheEnd(world);
    expect(world.status().gates.map(({ step }) => step)).toEqual(['decide[2]/person']);
    await fresh.again(world);
    world.signal('approve', { step: 'decide[2]/person', by: 'ann' });
    await fresh.again(world);
    await fresh.toTheEnd(world);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.executions).toBeGreaterThan(3);
    expect(world.order()).toEqual([
      'decide[1]/security#1~1',
      'decide[1]/legal#1~1',
      'decide[1]/revise#1~1',
      'decide[2]/security#1~1',
      'decide[2]/legal#1~1',
      'after#1~1',
    ]);
    // The second round is about the proposal that the first one revised.
    expect(world.seen[3]?.input.inputs).toEqual({ proposal: artifact('revise-1-again') });
  });
});

/** Returns what `all` brought one step. */
async function alled(branches: Parameters<typeof withBranches>[0], options: WorldOptions, more: Parameters<typeof withBranches>[1] = {}) {
  const ends: AllEnd[] = [];
  const fresh = freshly();
  const world = runPlan(planOf([withParts('own', [agent('a'), agent('b'), agent('c')])]), {
    historyIsFull: fresh.historyIsFull,
    work: programs({ own: withBranches(branches, more, ends) }),
    ...options,
  });
  return { world, ends, fresh };
}

function withBranches(
  branches: (here: Parameters<Program>[1]) => Parameters<Parameters<Program>[0]['all']>[1],
  how: Parameters<Parameters<Program>[0]['all']>[2],
  ends: AllEnd[] = [],
): Program {
  return async (ctx, here) => {
    ends.push(await ctx.all('all', branches(here), how));
    await ctx.sleep('rest', HOUR);
  };
}

const abc: Parameters<typeof withBranches>[0] = ({ part }) =>
  Object.fromEntries(['a', 'b', 'c'].map((id) => [id, { part: part(id), turn: 1 }]));

describe('side by side', () => {
  it('has those that came in time, those that failed, and those that are missing', async () => {
    const { world, ends } = await alled(
      abc,
      {
        steps: {
          a: says('yes'),
          b: () => Promise.reject(new ThermidorFailure('model.bad-request', 'no')),
          c: says('late', 2 * HOUR),
        },
      },
      { timeoutMs: HOUR },
    );
    await world.elapse();
    expect(ends).toEqual([
      {
        ended: { a: { state: 'done', artifact: artifact('a-1-yes'), values: { vote: 'yes' } } },
        failed: { b: expect.objectContaining({ code: 'model.bad-request' }) },
        missing: ['c'],
        timedOut: true,
      },
    ]);
  });

  it('calls the others off once enough have succeeded', async () => {
    const { world, ends } = await alled(abc, { steps: { a: says('slow', HOUR), b: says('quick'), c: says('slow', HOUR) } }, { enough: 1 });
    await world.settle();
    await world.settle();
    expect(ends.map(({ ended, missing, timedOut }) => [Object.keys(ended), missing, timedOut])).toEqual([[['b'], ['a', 'c'], false]]);
    expect(world.status().steps.map(({ id, state }) => `${id} ${state}`)).toEqual(['own running', 'a skipped', 'b done', 'c skipped']);
    await world.elapse();
    await world.result;
  });

  it('counts one whose work is in the ledger at the timeout, although nobody had heard of it', async () => {
    const { world, ends } = await alled(
      abc,
      {
        steps: { a: says('yes'), b: says('yes'), c: says('never', 9 * HOUR) },
        recorded: (call) => (call === 'own[1]/c#1~1' ? { artifact: artifact('found'), values: { vote: 'found' } } : undefined),
      },
      { timeoutMs: HOUR },
    );
    await world.elapse();
    expect(ends.map(({ ended, missing }) => [Object.entries(ended).map(([name, end]) => [name, voteOf(end)]), missing])).toEqual([
      [
        [
          ['a', 'yes'],
          ['b', 'yes'],
          ['c', 'found'],
        ],
        [],
      ],
    ]);
    expect(world.lookedUp.filter((call) => call === 'own[1]/c#1~1')).toHaveLength(1);
  });

  it('lets code run next to parts, each with a log of its own, and looks at the clock only when all have caught up', async () => {
    const { world, ends, fresh } = await alled(
      ({ part, address }) => ({
        part: { part: part('a'), turn: 1 },
        code: async (ctx) => {
          const made = await ctx.call('made', 'compose', () => ({ run: 'run-1', from: { kind: 'value', value: 1 } }), {
            address: `${address}/made`,
            startToCloseMs: 1000,
          });
          await ctx.sleep('pause', 30 * MINUTE);
          return made.artifact?.name;
        },
      }),
      { steps: { a: says('yes', 20 * MINUTE) } },
      { timeoutMs: 40 * MINUTE },
    );
    await fresh.toTheEnd(world);
    await world.result;
    expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1);
    expect(ends[0]?.ended).toEqual({ part: expect.objectContaining({ state: 'done' }), code: 'own#1~1/made' });
    expect(world.calls.filter(({ options: { address } }) => address === 'own#1~1/made')).toHaveLength(1);
  });

  it('ends the code that is cancelled at its next call', async () => {
    const went: string[] = [];
    const { world, ends } = await alled(
      () => ({
        quick: async () => 'done',
        slow: async (ctx) => {
          await ctx.sleep('long', HOUR);
          went.push('on');
        },
      }),
      {},
      { enough: 1 },
    );
    await world.elapse();
    await world.result;
    expect(ends[0]).toEqual({ ended: { quick: 'done' }, failed: {}, missing: ['slow'], timedOut: false });
    expect(went).toEqual([]);
  });

  const endsOfSteps = (world: World): string[] =>
    world.journal().flatMap((entry) => (entry.kind === 'step' && entry.state !== 'running' ? `${entry.step} ${entry.state}` : []));

  it('calls off the parts that such code has begun, at any depth', async () => {
    const { world, ends } = await alled(
      ({ part }) => ({
        slow: async (ctx) => {
          const inner = (own: StepContext) => own.step(part('a'), { turn: 1 });
          await ctx.all('both', { inner, part: { part: part('b'), turn: 1 } });
        },
        quick: (ctx) => ctx.sleep('while', 10 * MINUTE),
      }),
      { steps: { a: says('late', HOUR), b: says('late', HOUR) } },
      { enough: 1 },
    );
    await world.elapse();
    await world.result;
    expect(ends[0]).toMatchObject({ missing: ['slow'], failed: {}, timedOut: false });
    expect(endsOfSteps(world).sort()).toEqual(['own done', 'own[1]/a skipped', 'own[1]/b skipped']);
  });

  it('calls off one part, and no other of its turn', async () => {
    const { world } = await alled(
      ({ part }) => ({
        code: async (ctx) => {
          await ctx.all('race', { part: { part: part('a'), turn: 1 }, code: (own) => own.sleep('while', 10 * MINUTE) }, { enough: 1 });
        },
        other: { part: part('b'), turn: 1 },
      }),
      { steps: { a: says('late', HOUR), b: says('yes', 20 * MINUTE) } },
    );
    await world.elapse();
    await world.result;
    expect(endsOfSteps(world)).toEqual(['own[1]/a skipped', 'own[1]/b done', 'own done']);
  });
});
