import { startDetached, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** What an operator sees of a host, and does with it, on a real server. */
let scratch: Scratch;
beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  scratch.write('thermidor.yaml', 'worktrees: {host: build-7}\nshutdown: {grace: 1s}\n');
  scratch.write('pipelines/quick.yaml', JSON.stringify({ name: 'quick', steps: [{ id: 'only', run: 'true' }] }));
}, SET_UP_MS);
afterAll(() => scratch.close());

interface Fleet {
  workers: { host: string; stopping: boolean; silent: boolean }[];
  drained: { host: string; by: string }[];
}

interface Why {
  reasons: { kind: string; hosts?: string[]; clear: string[] }[];
}

const seen = () => scratch.json<Fleet>('fleet');

test('a host goes by the name that its settings give it; drained it takes nothing, and every command says why', async () => {
  const worker = scratch.thermidor('worker');
  await until('it is listed', async () => (await seen()).workers.some(({ host }) => host === 'build-7'));
  expect(await scratch.ask('fleet', 'drain', 'build-7', '--by', 'ann')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^draining build-7: workers 1, /),
    err: expect.stringContaining('no other host takes steps'),
  });
  await worker.until('it obeys', () => /host build-7 is drained/.test(worker.err));
  const run = await startDetached(scratch, 'quick');
  const why = await until('the run says what it waits for', async () => {
    const answer = await scratch.json<Why>('why', run);
    return answer.reasons.some(({ kind }) => kind === 'drained') && answer;
  });
  expect(why.reasons).toMatchObject([
    { kind: 'drained', hosts: ['build-7'], clear: [expect.stringMatching(/^thermidor fleet undrain build-7/)] },
  ]);
  expect(await scratch.ask('status', run)).toMatchObject({ code: 4, err: expect.stringContaining('the host is drained: build-7') });
  expect((await seen()).drained).toMatchObject([{ host: 'build-7', by: 'ann' }]);
  expect(await scratch.ask('fleet', 'undrain', 'build-7')).toMatchObject({ code: 0, out: 'build-7 takes work again\n' });
  await untilStatus(scratch, run, 'it has ended', ({ state }) => state === 'completed');
});
