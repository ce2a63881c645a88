import { ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import { agent, approval, command, parallel, review, reviewed } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { carry, rerun, settle } from './carrying';
import { tokens } from './spending';
import { CANCELLED, has, reasonsOf, silent } from './unreported-work';

async function cancelled(steps: Step[], options: WorldOptions): Promise<World> {
  const world = runPlan(planOf(steps), options);
  await world.settle();
  world.cancel();
  await world.elapse();
  await expect(world.result).rejects.toMatchObject({ name: 'Cancelled' });
  return world;
}

describe('a run that is cancelled', () => {
  test.each<[string, Step]>([
    ['a command', command('work')],
    ['an agent', agent('work')],
    ['a pipe', { kind: 'stages', id: 'work', stages: [] }],
    ['a review that passes', review('work', 'before')],
  ])('shows %s as done where the ledger has it, and a rerun carries it', async (_, step) => {
    const world = await cancelled([command('before'), step, command('after')], { steps: { work: silent }, recorded: has('work#1~1') });
    expect(world.step('work')).toMatchObject({ state: 'done', artifact: artifact('kept work#1~1') });
    expect(world.status().steps.map(({ state }) => state)).toEqual(['done', 'done', 'pending']);
    expect(reasonsOf(world, 'work')).toEqual([CANCELLED]);
    expect(carry(world, 'after')).toMatchObject({ carry: { records: { before: {}, work: { state: 'done' } } }, again: [] });
  });

  test('leaves everything as it is that the ledger does not have', async () => {
    const world = await cancelled([command('work')], { steps: { work: silent } });
    expect(world.lookedUp).toEqual(['work#1~1']);
    expect(world.step('work').state).toBe('skipped');
    expect(carry(world, 'work')).toMatchObject({ again: ['work'] });
  });

  test('says that work was begun again after the loss of its worker, although it has no result', async () => {
    const world = await cancelled([command('work'), command('other')], {
      steps: { work: silent },
      begun: { 'work#1~1': [1000, 2000, 3000] },
    });
    const said = world.journal().filter((entry) => 'step' in entry && entry.step === 'work');
    expect(said.map((entry) => ('state' in entry ? entry.state : ''))).toEqual(['running', 'running', 'running', 'skipped']);
    const again = 'begun again: the worker that had it was lost or stopped';
    expect(said.slice(1, 3)).toMatchObject([{ reason: again }, { reason: again }]);
    expect(world.step('work').state).toBe('skipped');
  });

  test('counts a message as sent if the ledger says so', async () => {
    const say: Step = { kind: 'notify', id: 'say', channel: '#x', message: [{ kind: 'text', text: 'hello' }] } as never;
    const world = await cancelled([say], { notify: () => new Promise(() => undefined), recorded: () => ({}) });
    expect(world.step('say').state).toBe('done');
  });

  test('finds what a chain has done that could not say so', async () => {
    const chained = (id: string) => command(id, { chained: true });
    const world = await cancelled([command('a'), chained('b'), chained('c'), command('d')], {
      steps: { a: silent },
      recorded: has('a#1~1', 'b#1~1'),
    });
    expect(world.lookedUp).toEqual(['a#1~1', 'b#1~1', 'c#1~1']);
    expect(['a', 'b', 'c', 'd'].map((id) => world.step(id).state)).toEqual(['done', 'done', 'pending', 'pending']);
  });

  test('finds what a chain has brought while the run was paused', async () => {
    const world = runPlan(planOf([command('a'), command('b', { chained: true })]), {
      steps: { b: ({ call }) => new Promise((resolve) => call.clock.after(1000, () => resolve({ artifact: artifact('b') }))) },
      recorded: (call) => (call === 'b#1~1' ? { artifact: artifact('b') } : undefined),
    });
    await world.settle();
    world.signal('pause', {});
    await world.elapse();
    expect(world.step('b').state).toBe('pending');
    world.cancel();
    await expect(world.result).rejects.toMatchObject({ name: 'Cancelled' });
    expect(world.step('b').state).toBe('done');
  });

  test('counts what was paid for, once', async () => {
    const paid = { artifact: artifact('said'), usage: tokens(40, 7) };
    const plan = planOf([parallel('both', [agent('heard'), agent('unheard')])], { budget: { tokens: 200 } });
    const world = runPlan(plan, {
      steps: { heard: () => paid, unheard: silent },
      recorded: () => paid,
    });
    await world.settle();
    world.cancel();
    await expect(world.result).rejects.toMatchObject({ name: 'Cancelled' });
    expect(world.lookedUp).toEqual(['both[1]/unheard#1~1']);
    expect(world.step('unheard').usage).toMatchObject({ inputTokens: 40, costMicroUsd: 7 });
    expect(world.status()).toMatchObject({ usage: { inputTokens: 80 }, budget: { tokens: { spent: 80, reserved: 0 } } });
  });

  test('ends even if the ledger does not answer, and says so', async () => {
    const world = await cancelled([command('work')], {
      steps: { work: silent },
      recorded: () => {
        throw new ThermidorFailure('store.unavailable', 'the disk is gone');
      },
    });
    expect(world.step('work').state).toBe('skipped');
    const told = world.journal().flatMap((entry) => (entry.kind === 'step' && entry.step === 'work' ? [entry.reason] : []));
    expect(told).toContainEqual(expect.stringContaining('the disk is gone'));
  });

  test('does not take for decided what a person was still to be asked about', async () => {
    const asked: StepOutput = { artifact: artifact('said'), approval: { form: artifact('form'), question: 'Good?' } };
    const steps = [parallel('both', [agent('work', { approval: {} }), command('other')]), command('after')];
    const world = await cancelled(steps, {
      steps: { work: silent, other: silent },
      recorded: (call) => (call.includes('work') ? asked : undefined),
    });
    expect(world.step('work')).toMatchObject({ state: 'skipped', artifact: artifact('said') });
    expect(carry(world, 'both[1]/other').carry.records).toMatchObject({
      'both[0]/work': { state: 'pending', output: { artifact: artifact('said') } },
    });
  });

  test('does not take a verdict that sends work back for an end', async () => {
    const world = await cancelled([command('draft'), review('judge', 'draft')], {
      steps: { judge: silent },
      recorded: (call) => (call === 'judge#1~1' ? reviewed('revise') : undefined),
    });
    expect(world.step('judge')).toMatchObject({ state: 'skipped', verdict: { verdict: 'revise' } });
  });

  test('with a finally: looked up before that begins', async () => {
    const plan = planOf([command('work')], { finally: { order: 'sequence', steps: [command('tidy')] } });
    const world = runPlan(plan, { steps: { work: silent }, recorded: has('work#1~1') });
    await world.settle();
    world.cancel();
    await expect(world.result).rejects.toMatchObject({ name: 'Cancelled' });
    const told = world.journal().flatMap((entry) => (entry.kind === 'step' ? [`${entry.step} ${entry.state}`] : []));
    expect(told).toEqual(['work running', 'work done', 'tidy running', 'tidy done']);
  });
});

describe('a run that fails or is rejected', () => {
  test('keeps what was done side by side with the step that failed', async () => {
    const world = runPlan(planOf([command('bad'), command('work')], {}, 'graph'), {
      steps: { bad: takesThenFails, work: silent },
      recorded: has('work#1~1'),
    });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
    expect(world.step('work').state).toBe('done');
    expect(carry(world, 'bad').carry.records).toMatchObject({ work: { state: 'done' } });
  });

  test('keeps what was done while a person said no', async () => {
    const world = runPlan(planOf([approval('ask'), command('work')], {}, 'graph'), { steps: { work: silent }, recorded: has('work#1~1') });
    await world.settle();
    world.signal('reject', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
    expect(world.step('work').state).toBe('done');
  });
});

const takesThenFails: StepBehaviour = ({ call }) =>
  new Promise((_, reject) => call.clock.after(1000, () => reject(new ThermidorFailure('command.failed', 'disk full'))));

test('what was kept is not done again by a rerun', async () => {
  const plan = planOf([command('before'), command('work'), command('after')]);
  const before = runPlan(plan, { steps: { work: silent }, recorded: has('work#1~1') });
  await before.settle();
  before.cancel();
  await settle(before);
  const world = rerun(plan, carry(before, 'after').carry);
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.order()).toEqual(['after#1~1']);
});

test('a run that was terminated names what it has not heard, and answers as if it had, without believing it', async () => {
  const plan = planOf([command('before'), command('work'), command('next', { chained: true }), command('after')]);
  const world = runPlan(plan, { steps: { work: silent } });
  await world.settle();
  const asked = carry(world, 'after');
  expect(asked.unreported?.calls).toEqual([
    { call: 'work#1~1', kind: 'command' },
    { call: 'next#1~1', kind: 'command' },
  ]);
  const recorded = { 'work#1~1': { artifact: artifact('kept') } };
  const answer = world.query('carry', { from: 'after', recorded }) as ReturnType<typeof carry>;
  expect(answer.carry.records).toMatchObject({ before: {}, work: { state: 'done', output: { artifact: artifact('kept') } } });
  expect(answer.unreported).toBeUndefined();
  expect(world.step('work')).toMatchObject({ state: 'running' });
  expect(world.step('work').artifact).toBeUndefined();
});

test('one whose ledger did not answer names what it had to leave open', async () => {
  const world = await cancelled([command('work')], {
    steps: { work: silent },
    recorded: () => {
      throw new ThermidorFailure('store.unavailable', 'the disk is gone');
    },
  });
  expect(carry(world, 'work').unreported?.calls).toEqual([{ call: 'work#1~1', kind: 'command' }]);
});
