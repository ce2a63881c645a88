import type { Expr } from '../../plan/expressions/expression';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { Cancelled } from '../../workflows/run-context';
import { saying } from '../support/behaviours';
import { agent, approval, command, forEach, group, oneOf, parallel, pipeline, repeat, review, verdictIs, wait } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World } from '../support/world';
import { grants, needing, run } from './spending';

const of = (name: string, path: Extract<Expr, { kind: 'variable' }>['path'] = []): Expr => ({ kind: 'variable', name, path });
const equals = (left: Expr, value: Json): Expr => ({ kind: 'binary', operator: '==', left, right: { kind: 'literal', value } });
const never: Expr = { kind: 'literal', value: false };
const roundOf = ({ address }: Parameters<StepBehaviour>[0]): number => address?.path[0]?.index ?? 0;
/** Its artifact and its value name its round. */
const numbered: StepBehaviour = (seen) => ({ artifact: artifact(`${seen.step}-${roundOf(seen)}`), values: { n: roundOf(seen) } });
const failsIn =
  (round: number, times = Number.POSITIVE_INFINITY): StepBehaviour =>
  (seen) => {
    if (roundOf(seen) === round && (seen.address?.round ?? 1) <= times) throw new ThermidorFailure('command.failed', 'exit 1');
    return numbered(seen);
  };
const records = (world: World) => world.status().steps.filter(({ address }) => address.includes('['));

describe('rounds', () => {
  it('follow each other until the expression holds, and the last one is the output', async () => {
    const until = equals({ kind: 'output', step: 'b', path: ['n'] }, 3);
    const plan = planOf([repeat('fix', [command('a'), command('b', { reads: [['n']] })], until), command('after')]);
    const world = runPlan(plan, { steps: { a: numbered, b: numbered } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual([1, 2, 3].flatMap((n) => [`fix[${n}]/a#1~1`, `fix[${n}]/b#1~1`]).concat('after#1~1'));
    const results = { a: artifact('a-3'), b: artifact('b-3') };
    expect(world.composed['fix#1~1/compose']).toEqual({ kind: 'fields', own: { round: 3, exhausted: false }, results });
    expect(world.step('fix')).toMatchObject({ state: 'done', iterations: { done: 3, total: 3 } });
    expect(records(world)).toEqual([]);
  });

  it('know their number and the outputs of the round before, in conditions and in activities', async () => {
    const reader = command('reads', {
      lastInputs: ['b'],
      when: { kind: 'binary', operator: '<', left: of('last', ['b', 'n']), right: of('round') },
    });
    const plan = planOf([repeat('fix', [reader, command('b', { reads: [['n']] })], 3)]);
    const world = runPlan(plan, { steps: { reads: numbered, b: numbered } });
    await world.result;
    // The first round has no earlier one to compare with.
    expect(world.order()).toEqual(['fix[1]/b#1~1', 'fix[2]/reads#1~1', 'fix[2]/b#1~1', 'fix[3]/reads#1~1', 'fix[3]/b#1~1']);
    const positions = world.seen.filter(({ step }) => step === 'reads' || step === 'b').map(({ input }) => input.loops?.[0]);
    const names = { roundVar: 'round', lastVar: 'last' };
    expect(positions[0]).toEqual({ index: 1, ...names });
    expect(positions[1]).toEqual({ index: 2, ...names, last: { b: artifact('b-1') } });
    expect(positions[2]).toEqual({ index: 2, ...names, last: {} });
  });

  it('of an inner loop hide the names of an outer one', async () => {
    const inner = repeat('inner', [command('work', { when: equals(of('round'), 2) })], 2);
    const world = runPlan(planOf([repeat('outer', [inner], 2)]));
    await world.result;
    expect(world.order()).toEqual(['outer[1]/inner[2]/work#1~1', 'outer[2]/inner[2]/work#1~1']);
  });

  it('are reported in the journal', async () => {
    const world = runPlan(planOf([repeat('fix', [command('a')], 2)]));
    await world.result;
    const said = world.journal().flatMap((entry) => (entry.kind === 'step' && entry.step === 'fix' ? [entry.reason ?? entry.state] : []));
    expect(said).toEqual(['running', 'round 2 of at most 5', 'done']);
  });
});

describe('after the last round', () => {
  const twice = { max: 2 };
  const steps = { a: numbered };

  it('a repeat fails, and its on_error decides', async () => {
    const world = runPlan(planOf([repeat('fix', [command('a')], never, twice)]), { steps });
    await expect(world.result).rejects.toMatchObject({ code: 'repeat.exhausted' });
    const going = runPlan(planOf([repeat('fix', [command('a')], never, { ...twice, onError: [{ kind: 'continue' }] }), command('after')]));
    await expect(going.result).resolves.toMatchObject({ status: 'completed' });
    expect(going.step('fix')).toMatchObject({ state: 'failed', error: { code: 'repeat.exhausted' } });
  });

  it('it goes on with the output of the last one, if it says `continue`', async () => {
    const plan = planOf(
      [repeat('fix', [command('a')], never, { ...twice, onExhausted: [{ kind: 'continue' }] }), command('after', { after: ['fix'] })],
      {},
      'graph',
    );
    const world = runPlan(plan, { steps });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.composed['fix#1~1/compose']).toMatchObject({ own: { round: 2, exhausted: true }, results: { a: artifact('a-2') } });
    expect([world.step('fix').state, world.step('after').state]).toEqual(['done', 'done']);
    expect(world.step('fix').error).toBeUndefined();
  });

  it('it fails if it says `stop`, after the actions before that', async () => {
    const onExhausted = [{ kind: 'notify', channel: '#desk' } as const, { kind: 'stop' } as const];
    const told: string[] = [];
    const world = runPlan(planOf([repeat('fix', [command('a')], never, { ...twice, onExhausted })]), {
      notify: (channel) => void told.push(channel),
    });
    await expect(world.result).rejects.toMatchObject({ code: 'repeat.exhausted' });
    expect(told).toContain('#desk');
  });

  it('a person decides if it escalates', async () => {
    const plan = planOf([
      repeat('fix', [command('a')], never, { ...twice, onExhausted: [{ kind: 'escalate', to: { kind: 'human' } }] }),
      command('after'),
    ]);
    const world = runPlan(plan, { steps });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'fix', kind: 'escalation' }]);
    await world.update('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('fix').state).toBe('done');
  });

  it('an operator gives it as many rounds again, which count on', async () => {
    const plan = planOf([repeat('fix', [command('a', { lastInputs: ['a'] })], 3, { ...twice, onExhausted: [{ kind: 'hold' }] })]);
    const world = runPlan(plan, { steps });
    await world.settle();
    expect(world.step('fix')).toMatchObject({ state: 'held', iterations: { done: 2, total: 2 } });
    await world.update('retry', { step: 'fix' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['fix[1]/a#1~1', 'fix[2]/a#1~1', 'fix[3]/a#1~1']);
    expect(world.seen.at(-1)?.input.loops).toMatchObject([{ index: 3, last: { a: artifact('a-2') } }]);
  });

  it('what is before it runs again with it, if it goes back', async () => {
    const onExhausted = [{ kind: 'retry', step: 'plan', max: 1 } as const, { kind: 'continue' } as const];
    const world = runPlan(planOf([command('plan'), repeat('fix', [command('a')], never, { max: 1, onExhausted })]), { steps });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['plan#1~1', 'fix[1]/a#1~1', 'plan#2~1', 'fix[1]/a#2~1']);
  });

  it('the step that it goes back to gets the outcome of the last round', async () => {
    const onExhausted = [{ kind: 'retry', step: 'plan', max: 1 } as const, { kind: 'continue' } as const];
    const world = runPlan(planOf([agent('plan'), repeat('fix', [command('a')], never, { max: 1, onExhausted })]), { steps });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const again = world.seen.find(({ call }) => call.options.address === 'plan#2~1');
    expect(again?.input.findings).toMatchObject({ review: 'fix', instructions: expect.any(String), report: { name: 'fix#1~1/compose' } });
  });
});

describe('a step that fails', () => {
  it('fails the repeat, whose own retry goes on in the same round', async () => {
    const alone = runPlan(planOf([repeat('fix', [command('a')], 3)]), { steps: { a: failsIn(2) } });
    await expect(alone.result).rejects.toMatchObject({ code: 'command.failed' });
    const plan = planOf([repeat('fix', [command('a'), command('b')], 3, { retry: { max: 2, delayMs: 1 } })]);
    const world = runPlan(plan, { steps: { a: numbered, b: failsIn(2, 1) } });
    await world.completes();
    const second = ['fix[2]/a#1~1', 'fix[2]/b#1~1', 'fix[2]/b#2~1'];
    expect(world.order()).toEqual(['fix[1]/a#1~1', 'fix[1]/b#1~1', ...second, 'fix[3]/a#1~1', 'fix[3]/b#1~1']);
  });

  it('ends its own round alone if it skips the rest', async () => {
    const plan = planOf([repeat('fix', [command('a', { onError: [{ kind: 'skip_rest' }] }), command('b')], 2)]);
    const world = runPlan(plan, { steps: { a: failsIn(1) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['fix[1]/a#1~1', 'fix[2]/a#1~1', 'fix[2]/b#1~1']);
  });

  it('is skipped or tried again by an operator, and the round goes on', async () => {
    const plan = planOf([repeat('fix', [command('a', { onError: [{ kind: 'hold' }] }), command('b')], 2)]);
    const world = runPlan(plan, { steps: { a: (seen) => ((seen.address?.try ?? 1) === 1 ? failsIn(roundOf(seen))(seen) : {}) } });
    await world.settle();
    await world.update('skip', { step: 'fix[1]/a' });
    await world.settle();
    await world.update('retry', { step: 'a' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['fix[1]/a#1~1', 'fix[1]/b#1~1', 'fix[2]/a#1~1', 'fix[2]/a#1~2', 'fix[2]/b#1~1']);
  });
});

describe('time and people', () => {
  it('the time-out is for all rounds, and calls the round under way off', async () => {
    const world = runPlan(planOf([repeat('fix', [wait('rest', { forMs: 25_000 })], 5, { timeoutMs: 60_000 })]));
    const startMs = world.clock.now();
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'step.timeout', message: expect.stringContaining('round 3') });
    expect(world.clock.now() - startMs).toBe(60_000);
  });

  it('each round opens its gate again, which its short name reaches', async () => {
    const world = runPlan(planOf([repeat('fix', [approval('ask')], 2)]));
    await world.settle();
    await world.update('approve', { step: 'ask', by: 'ann' });
    await world.settle();
    expect(world.status().gates.map(({ step }) => step)).toEqual(['fix[2]/ask']);
    expect(world.signal('approve', { step: 'fix[1]/ask', by: 'ann' })).toBeUndefined();
    await world.settle();
    expect(world.status().gates).toHaveLength(1);
    await world.update('approve', { step: 'fix[2]/ask', by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('a review in a round sends back within it', async () => {
    const plan = planOf([repeat('fix', [command('draft'), review('judge', 'draft')], verdictIs('judge', 'pass'))]);
    const world = runPlan(plan, { steps: { judge: saying('revise', 'pass') } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['fix[1]/draft#1~1', 'fix[1]/judge#1~1', 'fix[1]/draft#2~1', 'fix[1]/judge#2~1']);
  });

  it('a review after it sends the whole of it back, at addresses that were not used', async () => {
    const world = runPlan(planOf([repeat('fix', [command('a')], 2), review('judge', 'fix')]), {
      steps: { judge: saying('revise', 'pass') },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const order = ['fix[1]/a#1~1', 'fix[2]/a#1~1', 'judge#1~1', 'fix[1]/a#2~1', 'fix[2]/a#2~1', 'judge#2~1'];
    expect(world.order()).toEqual(order);
  });

  it('a cancelled run calls the round off and begins no other', async () => {
    const world = runPlan(planOf([repeat('fix', [wait('rest', { forMs: 60_000 })], 5)]));
    await world.settle();
    world.cancel();
    await expect(world.result).rejects.toBeInstanceOf(Cancelled);
    expect(world.step('fix').state).toBe('skipped');
  });
});

describe('within others, and others within', () => {
  it('works in a loop, a case, a branch and a group', async () => {
    const inner = (id: string) => repeat(id, [command(`${id}_work`)], 2);
    const plan = planOf([
      forEach('each', [inner('one')], { maxConcurrent: 2 }),
      oneOf('route', [inner('two')]),
      parallel('both', [inner('three'), group('four', [inner('five')])]),
    ]);
    const world = runPlan(plan, { lists: { each: ['x', 'y'] } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().toSorted()).toEqual(
      ['each[0]/one', 'each[1]/one', 'route[0]/two', 'both[0]/three', 'both[1]/four/five']
        .flatMap((path) => [1, 2].map((n) => `${path}[${n}]/${path.slice(path.lastIndexOf('/') + 1)}_work#1~1`))
        .toSorted(),
    );
  });

  it('holds a loop, a switch, branches, a group and a child pipeline', async () => {
    const block = [
      forEach('each', [command('item')]),
      oneOf('route', [command('case', { when: equals(of('round'), 2) })]),
      parallel('both', [command('left'), command('right')]),
      group('several', [command('deep')]),
      pipeline('child', 'release'),
    ];
    const world = runPlan(planOf([repeat('fix', block, 2)]), { lists: { each: ['x'] }, children: { release: planOf([command('ship')]) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const round = (n: number, more: string[] = []) => [
      `fix[${n}]/each[0]/item#1~1`,
      ...more,
      `fix[${n}]/both[0]/left#1~1`,
      `fix[${n}]/both[1]/right#1~1`,
      `fix[${n}]/several/deep#1~1`,
      'ship#1~1',
    ];
    expect(world.order()).toEqual([...round(1), ...round(2, ['fix[2]/route[0]/case#1~1'])]);
    expect(world.children.size).toBe(2);
  });

  it('a budget of its own counts over all rounds', async () => {
    const world = run([repeat('fix', [agent('ask')], 2, { budget: { tokens: 50 } })], { tokens: 1000 }, { steps: { ask: needing(30) } });
    await world.settle();
    expect(grants(world)).toEqual([50, 20]);
    expect(world.status().gates).toMatchObject([{ step: 'fix[2]/ask', kind: 'budget' }]);
    await world.update('extend_budget', { tokens: 60 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('fix').budget?.tokens).toEqual({ ceiling: 60, spent: 60, reserved: 0, left: 0 });
  });
});

describe('state', () => {
  it('is as large after sixty rounds as after six', async () => {
    const sizeAfter = async (rounds: number): Promise<number> => {
      const world = runPlan(planOf([repeat('fix', [command('a', { lastInputs: ['a'] }), approval('ask')], rounds + 1, { max: 100 })]), {
        steps: { a: numbered },
      });
      for (let n = 1; n <= rounds; n++) {
        await world.settle();
        await world.update('approve', { step: 'ask', by: 'ann' });
      }
      await world.settle();
      return JSON.stringify(world.status().steps).length;
    };
    expect((await sizeAfter(60)) - (await sizeAfter(6))).toBeLessThan(40);
  });

  it('of a thousand rounds without any work is small, and the run ends', async () => {
    const world = runPlan(
      planOf([repeat('fix', [command('a', { when: never })], never, { max: 1000, onExhausted: [{ kind: 'continue' }] })]),
    );
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.status().totalSteps).toBe(1);
  });
});
