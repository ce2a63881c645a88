import type { Step } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import { fails, takes } from '../support/behaviours';
import { agent, command, forEach, group, parallel, pipeline, review, reviewed } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour } from '../support/world';
import { tokens } from './spending';
import { CANCELLED, has, reasonsOf, silent } from './unreported-work';

describe('branches that are cancelled', () => {
  const SLOW = 'race[1]/slow#1~1';
  const race = (more: Parameters<typeof parallel>[2]) => [parallel('race', [command('fast'), command('slow')], more), command('end')];

  test.each<[string, Step[]]>([
    ['any', race({ wait: 'any' })],
    ['a quorum', race({ wait: { quorum: { count: 1 } } })],
    ['a timeout', race({ timeoutMs: 1000 })],
    ['any, in the dialect where the first to end decides', race({ wait: 'any' })],
  ])('%s: are done where the ledger has them, and are still no part of the output', async (name, steps) => {
    const plan = planOf(steps, name.includes('dialect') ? { dialect: 'lobster' } : {});
    const world = runPlan(plan, { steps: { slow: silent, end: takes(1) }, recorded: has(SLOW) });
    await world.completes();
    expect(world.lookedUp).toEqual([SLOW]);
    expect(world.step('slow')).toMatchObject({ state: 'done', artifact: artifact(`kept ${SLOW}`) });
    expect(reasonsOf(world, 'race[1]/slow')).toEqual([CANCELLED]);
    expect(world.composed['race#1~1/compose']).toMatchObject({ results: { fast: artifact('fast-1-1'), slow: null } });
  });

  test('if too few can succeed any more: another try does not do again what is done', async () => {
    const steps = [parallel('all', [command('bad'), command('slow')], { wait: { quorum: { count: 2 } }, retry: { max: 2, delayMs: 1 } })];
    let tries = 0;
    const world = runPlan(planOf(steps), {
      steps: { slow: silent, bad: () => (++tries === 1 ? fails() : { artifact: artifact('bad') }) },
      recorded: has('all[1]/slow#1~1'),
    });
    await world.completes();
    expect(world.order()).toEqual(['all[0]/bad#1~1', 'all[1]/slow#1~1', 'all[0]/bad#2~1']);
    expect(world.composed['all#1~2/compose']).toMatchObject({ results: { slow: artifact('kept all[1]/slow#1~1') } });
  });

  test('another try of a group waits until its work has let go, and does nothing twice', async () => {
    const inner = { ...group('both', [command('bad'), command('slow')], 'graph'), retry: { max: 2, delayMs: 1 } } as Step;
    let tries = 0;
    const world = runPlan(planOf([inner]), {
      steps: { slow: silent, bad: () => (++tries === 1 ? fails() : {}) },
      recorded: has('both/slow#1~1'),
    });
    await world.completes();
    expect(world.order()).toEqual(['both/bad#1~1', 'both/slow#1~1', 'both/bad#2~1']);
  });

  test('a ledger that is silent does not hold up another try', async () => {
    const inner = { ...group('both', [command('bad'), command('slow')], 'graph'), retry: { max: 2, delayMs: 1 } } as Step;
    let tries = 0;
    const world = runPlan(planOf([inner]), {
      steps: {
        slow: ({ address }) => (address?.round === 1 ? new Promise(() => undefined) : {}),
        bad: () => (++tries === 1 ? fails() : {}),
      },
      recorded: () => new Promise(() => undefined),
    });
    await world.elapse(() => world.order().length === 4);
    expect(world.order()).toEqual(['both/bad#1~1', 'both/slow#1~1', 'both/bad#2~1', 'both/slow#2~1']);
  });

  test('what a loop gave up when its time was over is kept', async () => {
    const world = runPlan(planOf([forEach('loop', [command('a'), command('b')], { timeoutMs: 60_000, maxConcurrent: 2 })]), {
      lists: { loop: [1, 2] },
      steps: { b: silent },
      recorded: has('loop[1]/b#1~1'),
    });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'step.timeout' });
    const states = Object.fromEntries(world.status().steps.map(({ address, state }) => [address, state]));
    expect(states).toMatchObject({ 'loop[0]/b': 'skipped', 'loop[1]/b': 'done' });
  });

  test('a word that comes in the same moment as the cancel is taken once', async () => {
    const said = { artifact: artifact('said'), usage: tokens(5) };
    let answer: (output: StepOutput) => void = () => undefined;
    const world = runPlan(planOf([agent('work')]), {
      steps: { work: () => new Promise((resolve) => (answer = resolve)) },
      recorded: () => said,
    });
    await world.settle();
    answer(said);
    world.cancel();
    await expect(world.result).rejects.toMatchObject({ name: 'Cancelled' });
    expect(world.step('work')).toMatchObject({ state: 'done', usage: { inputTokens: 5 } });
    expect(reasonsOf(world, 'work')).toHaveLength(1);
  });

  test('a round that was sent back while it ran is over, whatever it has done', async () => {
    const late: StepBehaviour = ({ call }) => new Promise((resolve) => call.clock.after(1000, () => resolve(reviewed('revise'))));
    const world = runPlan(
      planOf([command('draft'), review('a', 'draft', { after: ['draft'] }), review('b', 'draft', { after: ['draft'] })], {}, 'graph'),
      {
        steps: { draft: (seen) => (seen.address?.round === 1 ? {} : silent(seen)), a: () => reviewed('revise'), b: late },
        recorded: has('draft#2~1'),
      },
    );
    await world.elapse();
    expect(world.step('draft')).toMatchObject({ round: 3, state: 'running' });
    expect(world.lookedUp).toEqual([]);
  });

  test('what an execution had no time to look up is looked up by the next', async () => {
    let asked = 0;
    const steps = [parallel('race', [command('fast'), command('slow')], { wait: 'any' }), ...[1, 2, 3, 4].map((n) => command(`s${n}`))];
    const world = runPlan(planOf(steps), {
      activitiesPerExecution: 4,
      steps: { slow: silent },
      // The first look never settles.
      recorded: (call) => (asked++ === 0 ? new Promise(() => undefined) : has(SLOW)(call)),
    });
    await world.completes();
    expect(world.executions).toBeGreaterThan(1);
    expect(world.step('slow').state).toBe('done');
  });
});

describe('a child pipeline that had completed', () => {
  const child = planOf([command('work')], { name: 'child' });

  test('before its run was cancelled is done, with its output', async () => {
    const world = runPlan(planOf([pipeline('kid', 'child'), command('after')]), {
      children: { child },
      compose: (_, address) => (address === 'kid#1~1/compose' ? new Promise(() => undefined) : { artifact: artifact(address) }),
    });
    await world.settle();
    expect(world.step('kid').state).toBe('running');
    world.cancel();
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ name: 'Cancelled' });
    expect(world.step('kid')).toMatchObject({ state: 'done', artifact: artifact('kid#1~1/called-off') });
  });

  test('in the moment in which its branch was cancelled is done', async () => {
    const answers: (() => void)[] = [];
    const answer: StepBehaviour = ({ step }) => new Promise((resolve) => answers.push(() => resolve({ artifact: artifact(step) })));
    const steps = [parallel('race', [pipeline('kid', 'child'), command('fast')], { wait: 'any' }), command('end')];
    const world = runPlan(planOf(steps), { children: { child }, steps: { work: answer, fast: answer, end: takes(1) } });
    await world.settle();
    expect(answers).toHaveLength(2);
    for (const one of answers) one();
    await world.completes();
    expect(world.composed['race#1~1/compose']).toMatchObject({ results: { kid: null } });
    expect(world.step('kid').state).toBe('done');
  });
});
