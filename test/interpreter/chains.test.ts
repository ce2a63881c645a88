import { ThermidorFailure } from '../../plan/run/failure';
import type { NotifyStep, Step } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { MemoryCall } from '../../workflows/memory/memory-run';
import { agent, approval, command, review, reviewed } from '../support/steps';
import { artifact, planOf, runPlan, type WorldOptions } from '../support/world';
import { freshly } from './program';

const chain = (n: number, more: Parameters<typeof command>[1] = {}): Step[] =>
  Array.from({ length: n }, (_, i) => command(`s${i}`, { ...(i > 0 ? { chained: true as const } : {}), ...more }));

test('a chain of commands is one activity, and each of them a step', async () => {
  const world = runPlan(planOf([...chain(5), command('end')]));
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(new Set(world.seen.map(({ call }) => call.options.address)).size).toBe(6);
  expect(world.status().steps.map(({ state }) => state)).toEqual(Array(6).fill('done'));
  expect(world.step('s3').artifact).toEqual(artifact('s3-1-1'));
});

test('the one that fails is handled as it would be alone, and what follows it is chained again', async () => {
  let tries = 0;
  const world = runPlan(planOf(chain(5, { retry: { max: 2, delayMs: 1 } })), {
    steps: {
      s2: () => {
        tries += 1;
        if (tries === 1) throw new ThermidorFailure('command.failed', 'exit 1');
        return {};
      },
    },
  });
  await world.completes();
  expect(world.order()).toEqual(['s0#1~1', 's1#1~1', 's2#1~1', 's2#1~2', 's3#1~1', 's4#1~1']);
});

test('what a chain brought is kept over a fresh execution', async () => {
  const world = runPlan(planOf([...chain(250)]), { activitiesPerExecution: 3 });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.executions).toBeGreaterThan(1);
  expect(world.order()).toHaveLength(250);
});

test('a chain that has time for few steps is followed by a shorter one, and that by a longer one if it has time for all', async () => {
  const lengths: number[] = [];
  const world = runPlan(planOf(chain(40)), {
    inChain(steps) {
      lengths.push(steps);
      return lengths.length === 1 ? 1 : steps;
    },
  });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(lengths).toEqual([40, 2, 4, 8, 16, 9]);
  expect(world.order()).toHaveLength(40);
});

test('a pause holds what a chain has not begun', async () => {
  const world = runPlan(planOf([command('first'), ...chain(3)]), {
    steps: { first: ({ call }) => new Promise((resolve) => call.clock.after(1000, () => resolve({}))) },
  });
  await world.settle();
  world.signal('pause', {});
  await world.elapse();
  expect(world.order()).toEqual(['first#1~1']);
  world.signal('unpause', {});
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});

describe('times of the work', () => {
  const takes =
    (ms: number, output: StepOutput = {}) =>
    ({ call }: { call: MemoryCall }) =>
      new Promise<StepOutput>((resolve) => call.clock.after(ms, () => resolve(output)));
  const lines = (world: ReturnType<typeof runPlan>) => {
    const [began] = world.journal();
    return world
      .journal()
      .flatMap((entry) =>
        entry.kind === 'step'
          ? [`${entry.step} ${entry.state} ${Date.parse(entry.at) - Date.parse(began!.at)}${entry.reason ? ` ${entry.reason}` : ''}`]
          : [],
      );
  };
  const AGAIN = 'begun again: the worker that had it was lost or stopped';

  test('are in the journal as in the status, and not the moment in which the chain reports', async () => {
    const world = runPlan(planOf(chain(3)), { steps: { s0: takes(1000), s1: takes(2000), s2: takes(3000) } });
    await world.elapse();
    await world.result;
    expect(lines(world)).toEqual(['s0 running 0', 's0 done 1000', 's1 running 1000', 's1 done 3000', 's2 running 3000', 's2 done 6000']);
    const [, s1] = world.status().steps;
    expect(Date.parse(s1!.endedAt!) - Date.parse(s1!.startedAt!)).toBe(2000);
  });

  test('a step that was begun again has an entry for each time, one that fails of it too', async () => {
    const sinceMs = Date.parse(runPlan(planOf([command('a')])).status().startedAt);
    const begun = [sinceMs + 500, sinceMs + 700, sinceMs + 1000];
    const world = runPlan(planOf(chain(3)), {
      steps: {
        s0: takes(1000),
        s1: takes(1000, { begun: begun.map((ms) => ms + 500) }),
        s2: () => {
          const again = { begun: [sinceMs + 2000, sinceMs + 2000] };
          throw new ThermidorFailure('command.failed', 'exit 1', undefined, undefined, again);
        },
      },
    });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
    expect(lines(world)).toEqual([
      's0 running 0',
      's0 done 1000',
      's1 running 1000',
      `s1 running 1200 ${AGAIN}`,
      `s1 running 1500 ${AGAIN}`,
      's1 done 2000',
      's2 running 2000',
      `s2 running 2000 ${AGAIN}`,
      's2 failed 2000',
    ]);
  });

  test('the same of a command by itself, and a worker’s wrong clock puts nothing out of order', async () => {
    const far = 3_600_000;
    const sinceMs = Date.parse(runPlan(planOf([command('a')])).status().startedAt);
    const wrong = { begun: [-far, far].map((ms) => sinceMs + ms) };
    for (const fails of [false, true]) {
      const world = runPlan(planOf([command('a')]), {
        steps: {
          a: async (at) => {
            await takes(1000)(at);
            if (fails) throw new ThermidorFailure('command.failed', 'exit 1', undefined, undefined, wrong);
            return wrong;
          },
        },
      });
      await world.elapse();
      await world.result.catch(() => undefined);
      expect(lines(world).slice(0, 2)).toEqual(['a running 0', `a running 1000 ${AGAIN}`]);
    }
  });

  const OTHERS: [string, Step][] = [
    ['a pipe', { kind: 'stages', id: 'a', stages: [] }],
    ['a message', { kind: 'notify', id: 'a', channel: '#news', message: [] }],
    ['an agent', agent('a')],
    ['a review', review('a', 'b')],
  ];
  test.each(OTHERS)('the same of %s by itself, done or failed', async (_, only) => {
    for (const fails of [false, true]) {
      const twice = (): StepOutput => {
        const begun = [1, 2].map(() => Date.parse(world.status().startedAt));
        if (fails) throw new ThermidorFailure('adapter.unavailable', 'no', undefined, undefined, { begun });
        return { ...reviewed('pass'), begun };
      };
      const world = runPlan(planOf([only]), { steps: { a: twice }, notify: twice });
      await world.elapse();
      await world.result.catch(() => undefined);
      expect(lines(world)).toEqual(['a running 0', `a running 0 ${AGAIN}`, `a ${fails ? 'failed' : 'done'} 0`]);
    }
  });

  test('a pipe that asks has one entry, even if its run goes on in a fresh execution meanwhile', async () => {
    const fresh = freshly();
    const question = { form: artifact('form'), question: 'Go?' };
    let calls = 0;
    const world = runPlan(planOf([{ kind: 'stages', id: 'a', stages: [] }]), {
      historyIsFull: fresh.historyIsFull,
      steps: {
        a: () => {
          calls += 1;
          const begun = [1, 2].map(() => Date.parse(world.status().startedAt));
          return calls === 1 ? ({ kind: 'asks', stage: 0, items: artifact('items'), gate: 'approval', question, begun } as never) : {};
        },
      },
    });
    await world.settle();
    await fresh.again(world);
    await world.update('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.executions).toBe(2);
    expect(lines(world).filter((line) => line.includes('begun'))).toEqual([`a running 0 ${AGAIN}`]);
  });

  test('a message of the run itself that was begun again says so where it is delivered', async () => {
    const world = runPlan(planOf([approval('ask', { channel: '#ops' })]), { notify: () => ({ begun: [1, 2] }) });
    await world.settle();
    expect(world.journal()).toContainEqual(
      expect.objectContaining({ kind: 'notification', channel: '#ops', delivered: true, reason: AGAIN }),
    );
  });
});

describe('what is not a command', () => {
  const chained = { chained: true as const };
  const goesOn = { onError: [{ kind: 'continue' as const }] };
  const tell = (id: string, more: Partial<NotifyStep> = {}): Step => ({ kind: 'notify', id, channel: '#news', message: [], ...more });
  const activities = (world: ReturnType<typeof runPlan>) => world.calls.map(({ name }) => name);
  const down = (times: number): Pick<WorldOptions, 'notify'> => ({
    notify() {
      times -= 1;
      if (times >= 0) throw new ThermidorFailure('channel.unavailable', 'down');
    },
  });

  test('goes along in one activity', async () => {
    const world = runPlan(planOf([command('a'), tell('t', chained), command('b', chained), tell('u', chained)]));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(activities(world)).toEqual(['commands']);
    expect(world.notices.map(({ channel }) => channel)).toEqual(['#news', '#news']);
    expect(world.status().steps.map(({ state }) => state)).toEqual(Array(4).fill('done'));
  });

  test('a message that the channel did not take has an activity of its own, and those after it are chained again', async () => {
    const world = runPlan(planOf([command('a'), tell('t', chained), command('b', chained), command('c', chained)]), down(1));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(activities(world)).toEqual(['commands', 'notify', 'commands']);
    expect(world.calls[1]?.options).toMatchObject({ address: 't#1~1', scheduleToCloseMs: 600_000 });
    expect(world.order()).toEqual(['a#1~1', 'b#1~1', 'c#1~1']);
  });

  test('one that is first is left alone in the same way', async () => {
    const world = runPlan(planOf([tell('t'), command('a', chained)]), down(1));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(activities(world)).toEqual(['commands', 'notify', 'command']);
  });

  test('a failure that lets the others go on does not end the chain, and is handled when it is its step’s turn', async () => {
    const world = runPlan(planOf([command('a'), command('b', { ...chained, ...goesOn }), command('c', chained)]), {
      steps: {
        b: () => {
          throw new ThermidorFailure('command.failed', 'exit 1');
        },
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(activities(world).filter((name) => name !== 'notify')).toEqual(['commands']);
    expect(world.status().steps.map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
    expect(world.step('b').error).toMatchObject({ code: 'command.failed' });
  });

  test('is journalled as it would be by itself', async () => {
    const steps = [command('a'), tell('t', chained), command('b', { ...chained, ...goesOn }), tell('u', chained), command('c', chained)];
    const alone = steps.map(({ chained: _chained, ...step }) => step as Step);
    const journalOf = async (some: Step[]) => {
      const world = runPlan(planOf(some), {
        steps: {
          b: () => {
            throw new ThermidorFailure('command.failed', 'exit 1');
          },
        },
      });
      await world.result;
      return world.journal().map(({ at: _at, ...entry }) => entry);
    };
    expect(await journalOf(steps)).toEqual(await journalOf(alone));
  });

  test('what a chain brought of it is kept over a fresh execution', async () => {
    const steps = Array.from({ length: 240 }, (_, i) => (i % 3 === 1 ? tell(`t${i}`, chained) : command(`s${i}`, i > 0 ? chained : {})));
    const world = runPlan(planOf(steps), { activitiesPerExecution: 3 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.executions).toBeGreaterThan(1);
    expect([world.order().length, world.notices.length]).toEqual([160, 80]);
    expect(world.journal().filter(({ kind }) => kind === 'notification')).toHaveLength(80);
  });

  test('no input of a step repeats the run’s id', async () => {
    const world = runPlan(planOf(chain(3)));
    await world.result;
    expect(world.calls[0]?.input).toEqual({
      run: expect.any(String),
      steps: ['s0#1~1', 's1#1~1', 's2#1~1'].map((address) => ({ address, input: {} })),
    });
  });
});
