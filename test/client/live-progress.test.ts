import { withLiveProgress } from '../../client/live-progress';
import type { PendingActivity, WorkProgress } from '../../client/pending-activities';
import type { StepView } from '../../plan/run/status';
import { at, runView, stepView } from '../cli/views';

const command = (id: string, state: StepView['state'] = 'pending', address = id): StepView =>
  stepView(id, { kind: 'command', state, address });
const work = (address: string, progress: WorkProgress): PendingActivity => ({ address, state: 'started', attempt: 1, progress });
const chain = (address: string, more: Partial<WorkProgress & { kind: 'chain' }> = {}): PendingActivity =>
  work(address, { kind: 'chain', done: [], ...more });
const states = (steps: StepView[], address: string): string[] =>
  withLiveProgress(runView(steps), [chain(address)]).steps.map(({ id, state }) => `${id} ${state}`);

describe('of a chain', () => {
  test('what is before the command under way is done, what is after it has not begun', () => {
    const steps = [command('a', 'done'), command('b', 'running'), command('c'), command('d'), stepView('e')];
    expect(states(steps, 'c#1~1')).toEqual(['a done', 'b done', 'c running', 'd pending', 'e pending']);
  });

  test('each has the times of its heartbeat', () => {
    const head: StepView = { ...command('a', 'running'), startedAt: at(0) };
    const told = chain('c#1~1', {
      done: [
        { startedAt: at(1), endedAt: at(2) },
        { startedAt: at(2), endedAt: at(4) },
      ],
      startedAt: at(4),
    });
    expect(withLiveProgress(runView([head, command('b'), command('c')]), [told]).steps).toEqual([
      { ...command('a', 'done'), startedAt: at(1), endedAt: at(2) },
      { ...command('b', 'done'), startedAt: at(2), endedAt: at(4) },
      { ...command('c', 'running'), startedAt: at(4) },
    ]);
  });

  test('one that failed, and let the others go on, has failed', () => {
    const told = chain('c#1~1', {
      done: [
        { startedAt: at(1), endedAt: at(2), failed: true },
        { startedAt: at(2), endedAt: at(4) },
      ],
    });
    const message = stepView('b', { kind: 'notify', state: 'pending', address: 'b' });
    const { steps } = withLiveProgress(runView([command('a', 'running'), message, command('c')]), [told]);
    expect(steps.map(({ state }) => state)).toEqual(['failed', 'done', 'running']);
    expect(steps[0]).not.toHaveProperty('failed');
  });

  test('the first has begun when the run says, so that its time does not leap', () => {
    const head: StepView = { ...command('a', 'running'), startedAt: at(0) };
    expect(withLiveProgress(runView([head, command('b')]), [chain('a#1~1', { startedAt: at(1) })]).steps).toEqual([head, command('b')]);
  });

  test('a time that no heartbeat reported is left out: it would be the chain’s', () => {
    const head: StepView = { ...command('a', 'running'), startedAt: at(0) };
    const [first, second] = withLiveProgress(runView([head, command('b')]), [chain('b#1~1')]).steps;
    expect(first).toEqual(command('a', 'done'));
    expect(second).toEqual(command('b', 'running'));
  });

  test('only steps of the same block are of it', () => {
    const steps = [
      command('x', 'running'),
      stepView('par', { kind: 'parallel', state: 'running' }),
      command('l', 'running', 'par[0]/l'),
      command('m', 'pending', 'par[0]/m'),
      command('r', 'running', 'par[1]/r'),
    ];
    expect(states(steps, 'par[0]/m#1~1')).toEqual(['x running', 'par running', 'l done', 'm running', 'r running']);
  });

  test('a step that failed or was skipped ends it', () => {
    const steps = [command('a', 'running'), command('b', 'skipped'), command('c')];
    expect(states(steps, 'c#1~1')).toEqual(['a running', 'b skipped', 'c running']);
  });

  test('what the run itself knows outranks an older heartbeat', () => {
    expect(states([command('a', 'done'), command('b', 'done'), command('c', 'running')], 'b#1~1')).toEqual([
      'a done',
      'b done',
      'c running',
    ]);
  });
});

describe('of an agent', () => {
  const bull = stepView('bull', { state: 'running', round: 2, address: 'bull#2' });

  test('its turn is reported', () => {
    const [step] = withLiveProgress(runView([bull]), [work('bull#2~1', { kind: 'agent', turn: 7 })]).steps;
    expect(step).toEqual({ ...bull, turn: 7 });
  });

  test('that of an earlier try, of an agent that it calls on, or of a step that is done is not', () => {
    const works = ['bull#1~1', 'bull#2~1/spawn-1', 'done#1~1'].map((address) => work(address, { kind: 'agent', turn: 7 }));
    const view = runView([bull, stepView('done', { state: 'done' })]);
    expect(withLiveProgress(view, works)).toBe(view);
  });
});

test('a view of which nothing is known, or the wrong thing, stays as it is', () => {
  const view = runView([command('a', 'running')]);
  expect(withLiveProgress(view, [])).toBe(view);
  expect(withLiveProgress(view, [chain('gone#1~1'), { address: 'a#1~1', state: 'started', attempt: 1 }])).toBe(view);
});

test('a step that nobody has taken waits for a worker, and is not said to work', () => {
  const untaken: PendingActivity = { address: 'a#1~1', state: 'scheduled', attempt: 1, untaken: true };
  const [waiting, done] = withLiveProgress(runView([command('a', 'running'), command('b', 'done')]), [
    untaken,
    { ...untaken, address: 'b#1~1' },
  ]).steps;
  expect(waiting).toMatchObject({ state: 'running', waitingFor: 'a worker' });
  expect(done).toEqual(command('b', 'done'));
});
