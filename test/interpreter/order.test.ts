import type { Expr } from '../../plan/expressions/expression';
import { ThermidorFailure } from '../../plan/run/failure';
import type { AgentStep, CommandStep, Step } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { deferred } from '../../workflows/interpreter/scheduling/deferred';
import { artifact, planOf, runPlan } from '../support/world';

const command = (id: string, more: Partial<CommandStep> = {}): Step => ({ kind: 'command', id, command: { shell: ['true'] }, ...more });
const agent = (id: string, more: Partial<AgentStep> = {}): Step => ({ kind: 'agent', id, agent: 'worker', ...more });
const call = (name: string, step?: string): Expr => ({
  kind: 'call',
  function: name,
  arguments: step === undefined ? [] : [{ kind: 'output', step, path: [] }],
});
const isFalse: Expr = { kind: 'literal', value: false };
const fails = () => {
  throw new ThermidorFailure('command.failed', 'exit code 1');
};

describe('a sequence', () => {
  it('runs its steps one after the other', async () => {
    const world = runPlan(planOf([command('a'), command('b'), command('c')]));
    await world.settle();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['a#1~1', 'b#1~1', 'c#1~1']);
  });

  it('passes over a skipped step', async () => {
    const world = runPlan(planOf([command('a'), command('b', { when: isFalse }), command('c')]));
    await world.result;
    expect(world.order()).toEqual(['a#1~1', 'c#1~1']);
    expect(world.step('b').state).toBe('skipped');
  });

  it('gives the artifact of the last step that ran as its output', async () => {
    const world = runPlan(planOf([command('a'), command('b'), command('c', { when: isFalse })]));
    await expect(world.result).resolves.toMatchObject({ output: { name: 'b-1-1' }, artifacts: { a: { name: 'a-1-1' } } });
  });

  it('gives a number as it was written, even if its output is one number alone', async () => {
    const read: Expr = { kind: 'output', step: 'a', path: ['v'] };
    const outputs: Expr[] = [read, { kind: 'array', items: [read] }];
    for (const output of outputs) {
      const plan = { ...planOf([command('a', { reads: [['v']] })]), output };
      const world = runPlan(plan, { steps: { a: () => ({ values: parseJson('{"v":1.10}') }) } });
      expect(jsonText(await world.result)).toContain(output === read ? '"output":1.10' : '"output":[1.10]');
    }
  });
});

describe('a graph', () => {
  it('starts a step when all it depends on is settled', async () => {
    const left = deferred<StepOutput>();
    const right = deferred<StepOutput>();
    const world = runPlan(
      planOf(
        [
          agent('root', { after: [] }),
          agent('l', { after: ['root'] }),
          agent('r', { after: ['root'] }),
          agent('join', { after: ['l', 'r'] }),
        ],
        {},
        'graph',
      ),
      { steps: { l: () => left.promise, r: () => right.promise } },
    );
    await world.settle();
    expect(world.order()).toEqual(['root#1~1', 'l#1~1', 'r#1~1']);
    right.resolve({ artifact: artifact('r') });
    await world.settle();
    expect(world.step('join').state).toBe('pending');
    left.resolve({ artifact: artifact('l') });
    await world.result;
    expect(world.order().at(-1)).toBe('join#1~1');
  });

  it('keeps no more steps in flight than the pipeline allows', async () => {
    const gates = new Map<string, ReturnType<typeof deferred<StepOutput>>>();
    const steps = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((id) => {
        const gate = deferred<StepOutput>();
        gates.set(id, gate);
        return [id, () => gate.promise];
      }),
    );
    const world = runPlan(
      planOf(
        ['a', 'b', 'c', 'd', 'e'].map((id) => command(id, { after: [] })),
        { concurrent: 2 },
        'graph',
      ),
      { steps },
    );
    await world.settle();
    expect(world.order()).toEqual(['a#1~1', 'b#1~1']);
    gates.get('b')?.resolve({});
    await world.settle();
    expect(world.order()).toEqual(['a#1~1', 'b#1~1', 'c#1~1']);
    for (const gate of gates.values()) gate.resolve({});
    await world.settle();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('skips what depends on a step that was skipped or failed', async () => {
    const world = runPlan(
      planOf(
        [
          command('bad', { after: [], onError: [{ kind: 'continue' }] }),
          command('off', { after: [], when: isFalse }),
          command('x', { after: ['bad'] }),
          command('y', { after: ['off'] }),
          command('z', { after: ['x'] }),
        ],
        {},
        'graph',
      ),
      { steps: { bad: fails } },
    );
    await world.result;
    expect(['bad', 'off', 'x', 'y', 'z'].map((id) => world.step(id).state)).toEqual(['failed', 'skipped', 'skipped', 'skipped', 'skipped']);
  });

  it('lets a condition over states decide what a failed dependency means', async () => {
    const world = runPlan(
      planOf(
        [
          command('bad', { after: [], onError: [{ kind: 'continue' }] }),
          command('mend', { after: ['bad'], when: call('failed', 'bad') }),
          command('report', { after: ['bad', 'mend'], when: call('always') }),
          command('celebrate', { after: ['bad'], when: { kind: 'not', operand: call('failed', 'bad') } }),
        ],
        {},
        'graph',
      ),
      { steps: { bad: fails } },
    );
    await world.result;
    expect(world.order()).toEqual(['bad#1~1', 'mend#1~1', 'report#1~1']);
    expect(world.step('celebrate').state).toBe('skipped');
  });
});

describe('on_error', () => {
  it('stops the run with the failure’s code, and cancels what is in flight', async () => {
    const world = runPlan(planOf([command('slow', { after: [] }), command('bad', { after: [] })], {}, 'graph'), {
      steps: { bad: fails, slow: () => new Promise(() => undefined) },
    });
    await world.settle();
    await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
    expect(world.seen.find(({ step }) => step === 'slow')?.call.signal.aborted).toBe(true);
    expect(world.notices).toMatchObject([{ channel: '#errors', message: expect.stringContaining('command.failed') }]);
  });

  it('skips the rest', async () => {
    const world = runPlan(planOf([command('bad', { onError: [{ kind: 'skip_rest' }] }), command('b'), command('c')]), {
      steps: { bad: fails },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['bad#1~1']);
    expect(world.step('c').state).toBe('skipped');
  });

  it('retries as often as the step says, with growing delays', async () => {
    const started: number[] = [];
    const world = runPlan(planOf([command('a', { retry: { max: 4, backoff: 'exponential', delayMs: 1000, maxDelayMs: 3000 } })]), {
      steps: {
        a: ({ call }) => {
          started.push(call.clock.now());
          if (started.length < 4) fails();
          return {};
        },
      },
    });
    await world.completes();
    expect(started.slice(1).map((at, i) => at - (started[i] ?? 0))).toEqual([1000, 2000, 3000]);
    expect(world.order()).toEqual(['a#1~1', 'a#1~2', 'a#1~3', 'a#1~4']);
  });

  it('sends an earlier step back when it says so', async () => {
    let runs = 0;
    const world = runPlan(planOf([command('build'), command('test', { onError: [{ kind: 'retry', step: 'build', max: 2 }] })]), {
      steps: {
        test: () => {
          runs += 1;
          return runs < 3 ? fails() : {};
        },
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['build#1~1', 'test#1~1', 'build#2~1', 'test#2~1', 'build#3~1', 'test#3~1']);
  });
});

describe('a step within a container that is skipped', () => {
  const group = (id: string, steps: Step[]): Step => ({ kind: 'group', id, block: { order: 'sequence', steps } });
  const inner = [group('left', [command('a'), command('b')]), command('c')];
  const skipped: Step = { kind: 'parallel', id: 'par', branches: inner, when: isFalse };

  it.each(['par', 'left', 'a', 'b', 'c'])('is skipped as well: %s', async (id) => {
    const world = runPlan(planOf([skipped, command('is', { when: call('skipped', id) }), command('not', { when: call('failed', id) })]));
    await world.result;
    expect(world.order()).toEqual(['is#1~1']);
  });

  it('is skipped for templates, which render its record', async () => {
    const world = runPlan(
      planOf([
        skipped,
        command('tell', {
          records: [
            { step: 'b', field: 'skipped' },
            { step: 'b', field: 'error' },
          ],
        }),
      ]),
    );
    await world.result;
    expect(world.seen.find(({ step }) => step === 'tell')?.input).toMatchObject({ records: { b: { skipped: true, error: false } } });
  });

  it('lets what depends on the container decide by it, in a graph', async () => {
    const steps = [skipped, command('mend', { after: ['par'], when: call('skipped', 'a') }), command('rest', { after: ['par'] })];
    const world = runPlan(planOf(steps, {}, 'graph'));
    await world.result;
    expect(world.order()).toEqual(['mend#1~1']);
  });

  it('stays unsettled if the container runs', async () => {
    const runs: Step = { kind: 'parallel', id: 'par', branches: inner };
    const world = runPlan(planOf([runs, command('is', { when: call('skipped', 'a') })]));
    await world.result;
    expect(world.order()).not.toContain('is#1~1');
  });
});
