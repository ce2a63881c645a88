import { type AddressInfo, createServer, type Socket } from 'node:net';
import { untilStatus } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** The experiences of somebody who runs their first pipelines, on a real server. */
const SAYS = `name: says
env:
  TOKEN: secret://env/MY_TOKEN
steps:
  - {id: a, run: 'echo "token=$TOKEN"'}
output: $a.stdout
`;
const KID = 'name: kid\nsteps:\n  - {id: build, run: "echo compiling; echo the cause is here; exit 7"}\n';
const PARENT = 'name: parent\nsteps:\n  - {id: deploy, pipeline: kid.yaml}\n';
const GATE = 'name: gate\nsteps:\n  - {id: ask, type: approval, approvers: [alice, bob]}\n';
const SECRET = 'hunter2-hunter2';
let scratch: Scratch;
let address: string;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer({ MY_TOKEN: SECRET });
  ({ address } = scratch.place);
  for (const [name, text] of Object.entries({ says: SAYS, kid: KID, parent: PARENT, gate: GATE }))
    scratch.write(`pipelines/${name}.yaml`, text);
  scratch.write('thermidor.yaml', 'people: {alice: {}, bob: {}}\n');
  await scratch.follow('up').untilLine(/server/);
}, SET_UP_MS);
afterAll(() => scratch.close());

test('with a server of one’s own and no worker, `run --worker` brings one; the printed result has no secret in it', async () => {
  const { code, out, err } = await scratch.ask('run', 'says', '--address', address, '--task-queue', 'own', '--worker');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/result\ntoken=\*\*\*\n/);
  expect(out).not.toContain(SECRET);
  const json = await scratch.ask('run', 'says', '--address', address, '--task-queue', 'own', '--worker', '--json');
  expect(readJson(json)).toMatchObject({ state: 'completed', output: 'token=***\n' });
  expect(json.out + json.err).not.toContain(SECRET);
});

test('a run whose child failed prints the child’s last lines, and the line that shows all of them', async () => {
  const { code, out, err } = await scratch.ask('run', 'parent');
  expect(code).toBe(1);
  expect(err).toMatch(/deploy\/build printed 2 lines:\n {2}compiling\n {2}the cause is here\n/);
  const line = /all: thermidor (logs \S+ deploy\/build)/.exec(err)?.[1]?.split(' ') ?? [];
  expect((await scratch.ask(...line)).out).toBe('compiling\nthe cause is here\n');
  expect((await scratch.ask('logs', 'parent', 'deploy')).out).toContain('the cause is here');
  expect(out).toMatch(/To continue from where it stopped:\n {2}thermidor rerun \S+ --from deploy\/build\n/);
});

test('an order by a pipeline’s name ends none of several runs, and a name that resembles a person’s decides nothing', async () => {
  for (const id of ['gate-a', 'gate-b']) expect(await scratch.ask('run', 'gate', '--id', id, '--detach')).toMatchObject({ code: 0 });
  const cancelled = await scratch.ask('cancel', 'gate', '--json');
  expect(cancelled.code).toBe(2);
  expect(JSON.parse(cancelled.out)).toMatchObject({ error: { code: 'run.ambiguous', details: { candidates: ['gate-b', 'gate-a'] } } });
  for (const id of ['gate-a', 'gate-b']) await untilStatus(scratch, id, 'it asks', ({ gates }) => gates.length === 1);
  const decided = await scratch.ask('approve', 'gate-a', '--by', 'alise');
  expect(decided).toMatchObject({ code: 2, err: expect.stringContaining('did you mean "alice"?') });
  expect(await scratch.ask('approve', 'gate-a', '--by', 'alice', '--detach')).toMatchObject({ code: 0 });
});

describe('completion', () => {
  const names = async (line: string): Promise<string[]> => {
    const { code, out, err } = await scratch.ask('__complete', 'bash', ':=', line);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out.split('\n').filter(Boolean);
  };

  /** A server that does not answer at once is not waited for, and a busy machine may delay it. */
  const offers = (line: string, wanted: readonly string[]): Promise<unknown> =>
    until(`${line} is completed by ${wanted.join(' and ')}`, async () => (await names(line)).join() === wanted.join());

  it('asks the server which runs a command takes', async () => {
    await offers('thermidor approve ', ['gate-b']);
    await offers('thermidor approve gate-b ', ['ask']);
    await offers('thermidor status gate-', ['gate-b', 'gate-a']);
  });

  it('ends, with what the folder tells, if a server takes connections and answers nothing', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as AddressInfo;
    await expect(names(`thermidor status --address 127.0.0.1:${port} gate-`)).resolves.toEqual(['gate-b', 'gate-a']);
    await expect(names(`thermidor approve --address 127.0.0.1:${port} `)).resolves.toEqual([]);
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => silent.close(closed));
  });
});
