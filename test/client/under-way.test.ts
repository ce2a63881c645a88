import type { ThermidorClient } from '../../client/connect';
import { readUnderWay, withUnderWay } from '../../client/under-way';
import type { StepView } from '../../plan/status';
import { runView, stepView } from '../cli/views';

const command = (id: string, state: StepView['state'] = 'pending', address = id): StepView =>
  stepView(id, { kind: 'command', state, address });
const states = (steps: StepView[], ...addresses: string[]): string[] =>
  withUnderWay(runView(steps), addresses).steps.map(({ id, state }) => `${id} ${state}`);

test('what is before the command under way is done, what is behind it has not begun', () => {
  const steps = [command('a', 'done'), command('b', 'running'), command('c'), command('d'), stepView('e')];
  expect(states(steps, 'c')).toEqual(['a done', 'b done', 'c running', 'd pending', 'e pending']);
});

test('of a command that is done in its chain no time is told: it would be the chain’s', () => {
  const head: StepView = { ...command('a', 'running'), startedAt: '2026-11-21T07:30:00.000Z' };
  const [first, second] = withUnderWay(runView([head, command('b')]), ['b']).steps;
  expect(first).toEqual(command('a', 'done'));
  expect(second).toEqual(command('b', 'running'));
});

test('only commands of the same block are of the chain', () => {
  const steps = [
    command('x', 'running'),
    stepView('par', { kind: 'parallel', state: 'running' }),
    command('l', 'running', 'par[0]/l'),
    command('m', 'pending', 'par[0]/m'),
    command('r', 'running', 'par[1]/r'),
  ];
  expect(states(steps, 'par[0]/m')).toEqual(['x running', 'par running', 'l done', 'm running', 'r running']);
});

test('a step that failed or was skipped ends the chain', () => {
  expect(states([command('a', 'running'), command('b', 'skipped'), command('c')], 'c')).toEqual(['a running', 'b skipped', 'c running']);
});

test('a view of which nothing is known, or the wrong thing, stays as it is', () => {
  const view = runView([command('a', 'running')]);
  expect(withUnderWay(view, [])).toBe(view);
  expect(withUnderWay(view, ['gone']).steps).toEqual(view.steps);
});

describe('asking the server', () => {
  /** A client whose server knows these pending activities; counts the requests. */
  function clientWith(pending: { type: string; details: unknown }[]): { client: ThermidorClient; asked: () => number } {
    let asked = 0;
    const pendingActivities = pending.map(({ type, details }) => ({
      activityType: { name: type },
      heartbeatDetails: { payloads: [{ data: details }] },
    }));
    const temporal = {
      workflow: { getHandle: () => ({ describe: async () => ({ raw: { pendingActivities } }) }) },
      options: {
        loadedDataConverter: { payloadCodecs: [], payloadConverter: { fromPayload: (payload: { data: unknown }) => payload.data } },
      },
    };
    const call = async <T>(request: () => Promise<T>): Promise<T> => {
      asked += 1;
      return request();
    };
    return { client: { temporal, call } as unknown as ThermidorClient, asked: () => asked };
  }

  test('the heartbeat of a chain names the command, by its short address', async () => {
    const { client } = clientWith([
      { type: 'agent', details: { turn: 3 } },
      { type: 'commands', details: { step: 'each[3]/lint#1~1' } },
      { type: 'commands', details: null },
    ]);
    expect(await readUnderWay(client, runView([command('a', 'running')]))).toEqual(['each[3]/lint']);
  });

  test('is left out where no command runs', async () => {
    const { client, asked } = clientWith([]);
    expect(await readUnderWay(client, runView([command('a', 'done'), stepView('b', { state: 'running' })]))).toEqual([]);
    expect(asked()).toBe(0);
  });
});
