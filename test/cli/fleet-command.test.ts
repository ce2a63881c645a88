import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Invocation, Options } from '../../cli/command';
import { drain, show, undrain } from '../../cli/commands/fleet';
import { CommandFailure, EXIT } from '../../cli/exit';
import { ClientProblem } from '../../client/client-problem';
import { ThermidorFailure } from '../../plan/run/failure';
import { openRecords } from '../../records/open-records';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

/** What the server says of workers: an error, or their heartbeats. */
let listed: Error | { host: string; queues?: string[]; used?: number; mute?: true; ageMs?: number; status?: number }[];
/** What reading the store fails with. */
let storeProblem: Error | undefined;

const beats = () => {
  if (listed instanceof Error) throw listed;
  return listed.flatMap(({ host, queues = ['thermidor'], used = 0, mute, ageMs = 0, status = 1 }) =>
    queues.map((taskQueue) => ({
      workerHeartbeat: {
        ...{ workerIdentity: `thermidor-1-aa@${host}`, taskQueue, status },
        heartbeatTime: { seconds: Math.floor((Date.now() - ageMs) / 1000), nanos: 0 },
        ...(mute ? {} : { activityTaskSlotsInfo: { currentUsedSlots: used, currentAvailableSlots: 1 } }),
      },
    })),
  );
};

jest.mock('../../client/unserved-queues', () => ({
  ...jest.requireActual('../../client/unserved-queues'),
  queuesOfOpenRuns: async () => new Map([['thermidor', ['r1']]]),
  unservedQueues: async () => [],
}));
jest.mock('../../client/version-skew', () => ({ versionSkew: async () => [] }));
jest.mock('../../cli/settings/records', () => {
  const actual = jest.requireActual('../../cli/settings/records');
  const list = () => Promise.reject(storeProblem);
  return {
    ...actual,
    recordsOf: (found: unknown) =>
      storeProblem === undefined ? actual.recordsOf(found) : { drained: { list }, presence: () => ({ workers: list }) },
  };
});
jest.mock('../../cli/session/with-session', () => ({
  withSession: async (_invocation: unknown, _need: unknown, work: (session: object) => Promise<unknown>) => {
    const client = { namespace: 'default', taskQueue: 'thermidor', call: (ask: () => unknown) => ask() };
    const workflowService = { listWorkers: async () => ({ workersInfo: beats() }) };
    return await work({ client: { ...client, temporal: { workflowService } } });
  },
}));

let cwd = '';
beforeEach(() => {
  cwd = scratchFolder();
  writeFileSync(join(cwd, 'thermidor.yaml'), 'address: temporal.example.org:7233\n');
  listed = [];
  storeProblem = undefined;
});

async function called(command: typeof drain, host?: string, options: Record<string, unknown> = {}) {
  const terminal = fakeTerminal({ cwd });
  const invocation: Invocation = {
    args: host === undefined ? [] : [host],
    options: new Options(options),
    terminal,
    catalogue: { commands: [], nouns: {} },
  };
  return { exit: await command(invocation), ...terminal.written };
}

/** Whether the order is there: taking it back says so. */
async function isDrained(host: string): Promise<boolean> {
  return JSON.parse((await called(undrain, host, { json: true })).out).undrained;
}

test('a drain says what its workers do, and which queue and runs nobody else takes', async () => {
  listed = [{ host: 'a', used: 2, queues: ['thermidor', 'thermidor:gpu', 'thermidor:host:a-1'] }, { host: 'b' }];
  expect(await called(drain, 'a')).toEqual({
    exit: EXIT.done,
    out: 'draining a: workers 1, steps in progress 6\n',
    err: '! no other host takes steps of queue gpu\n',
  });
  expect(await isDrained('a')).toBe(true);
});

test('a drain of the only host that works says that runs wait, and how to take it back', async () => {
  listed = [{ host: 'a' }, { host: 'silent', ageMs: 60_000 }, { host: 'stops', status: 2 }, { host: 'c' }];
  await called(drain, 'c');
  const { exit, err } = await called(drain, 'a');
  expect(exit).toBe(EXIT.done);
  expect(err.split('\n')).toEqual([
    '! no other host takes steps: runs wait until a worker starts on one, or `thermidor fleet undrain a`',
    '! no other host takes steps of queue default; waiting: r1',
    '',
  ]);
});

test('a host that nobody has seen is drained all the same, and those that are there are named', async () => {
  listed = [{ host: 'a' }, { host: 'b' }];
  expect(await called(drain, 'a7')).toMatchObject({
    out: 'draining a7: workers 0, steps in progress 0\n',
    err: '! no worker of that name runs now; one that starts there takes no work; hosts with workers: a, b\n',
  });
  expect(JSON.parse((await called(drain, 'a7', { json: true })).out)).toEqual({
    ...{ host: 'a7', workers: 0, steps: 0, others: ['a', 'b'], left: [] },
  });
  expect(await called(undrain, 'a8')).toMatchObject({ exit: EXIT.done, out: 'nothing to do: a8 is not drained; drained: a7\n' });
  expect(await called(undrain, 'a7')).toMatchObject({ out: 'a7 takes work again\n' });
  expect(await called(undrain, 'a7')).toMatchObject({ out: 'nothing to do: a7 is not drained\n' });
});

test('what a worker does that does not say it is unknown, and not nothing', async () => {
  listed = [{ host: 'a', mute: true }, { host: 'b' }];
  expect(await called(drain, 'a')).toMatchObject({ out: 'draining a: workers 1, steps in progress unknown\n' });
  expect(JSON.parse((await called(drain, 'a', { json: true })).out)).not.toHaveProperty('steps');
});

test('slots that a worker says in the store alone are shown, and counted by a drain', async () => {
  listed = [{ host: 'a', mute: true }, { host: 'b' }];
  const { presence } = openRecords({ stateDir: join(cwd, '.thermidor') });
  const says = async () => ({ identity: 'thermidor-1-aa@a', slots: { used: 3, free: 97 } });
  const stop = await presence(() => undefined).announce('a-1', says);
  expect((await called(show)).out).toMatch(/^a +thermidor-1-aa +working .* 3\/100 /m);
  expect(JSON.parse((await called(show, undefined, { json: true })).out).workers[0]).toMatchObject({ slots: { used: 3, free: 97 } });
  expect(await called(drain, 'a')).toMatchObject({ out: 'draining a: workers 1, steps in progress 3\n' });
  await stop();
  expect((await called(show)).out).toMatch(/^a +thermidor-1-aa +working .* – /m);
});

test('workers are shown although the store is away, which is named', async () => {
  listed = [{ host: 'a' }];
  storeProblem = new ThermidorFailure('store.unavailable', 'the store postgres://db/runs cannot be used: nothing listens there');
  expect(await called(show)).toEqual({
    ...{ exit: EXIT.done, out: expect.stringMatching(/^a +thermidor-1-aa +working/m) },
    err: '! what the store has of hosts is not known: the store postgres://db/runs cannot be used: nothing listens there\n',
  });
  storeProblem = new Error('a defect');
  await expect(called(show)).rejects.toThrow('a defect');
});

test('a server that lists no workers, or is away, changes nothing of the order', async () => {
  listed = new ClientProblem('server.refused', 'this server does not list workers');
  expect(await called(drain, 'a')).toEqual({
    exit: EXIT.done,
    out: 'draining a\n',
    err: '! its workers obey, but what they do is not known: this server does not list workers\n',
  });
  expect(await isDrained('a')).toBe(true);
  listed = new ClientProblem('server.unreachable', 'the Temporal server does not answer');
  expect(JSON.parse((await called(drain, 'a', { json: true })).out)).toEqual({ host: 'a', unseen: 'the Temporal server does not answer' });
  expect(await isDrained('a')).toBe(true);
  listed = new Error('a defect');
  await expect(called(drain, 'a')).rejects.toThrow('a defect');
});

test.each(['', '-x', 'a b', 'a/../b', 'x'.repeat(64), 'a\n'])('%j is no name of a host', async (host) => {
  const refused = expect.objectContaining({ exit: EXIT.usage, message: expect.stringContaining('not a valid name') });
  await expect(called(drain, host)).rejects.toEqual(refused);
  await expect(called(undrain, host)).rejects.toEqual(refused);
});

test('an embedded server has one host', async () => {
  writeFileSync(join(cwd, 'thermidor.yaml'), '');
  await expect(called(drain, 'a')).rejects.toThrow(CommandFailure);
});
