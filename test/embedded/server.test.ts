import childProcess from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { servesNamespace } from '../../cli/embedded/grpc-probe';
import { peekServer } from '../../cli/embedded/peek-server';
import { isPortFree } from '../../cli/embedded/ports';
import { type AcquireOptions, acquireServer, type EmbeddedServer } from '../../cli/embedded/server';
import { launchServer, stopProcess } from '../../cli/embedded/server-process';
import { makeStateFolders, serverFiles } from '../../cli/embedded/state-files';
import { findTemporalBinary } from '../../cli/embedded/temporal-binary';
import { identifyProcess } from '../../records/locks/process-identity';
import { quietPort } from '../support/quiet-port';
import { breakDisk } from './broken-disk';
import { Holder, translateSources } from './holder';

let sources: string;
let env: NodeJS.ProcessEnv;
let stateDir: string;
let taken: EmbeddedServer[];

beforeAll(async () => {
  sources = translateSources(mkdtempSync(join(tmpdir(), 'thermidor-sources-')));
  env = { ...process.env, THERMIDOR_TEMPORAL_CLI: (await findTemporalBinary()).path };
}, 300_000);

afterAll(() => rmSync(sources, { recursive: true }));

beforeEach(() => {
  stateDir = join(mkdtempSync(join(tmpdir(), 'thermidor-state-')), '.thermidor');
  taken = [];
});

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(taken.map((server) => server.release()));
  const { pid } = await peekServer(stateDir);
  const mark = pid === undefined ? undefined : identifyProcess(pid);
  if (mark !== undefined) await stopProcess(mark);
  rmSync(join(stateDir, '..'), { recursive: true });
});

async function acquire(options: Partial<AcquireOptions> = {}): Promise<EmbeddedServer> {
  const server = await acquireServer({ stateDir, role: 'worker', env, ...options });
  taken.push(server);
  return server;
}

function holder(role: 'worker' | 'look' = 'worker'): Promise<Holder> {
  return Holder.start(sources, { stateDir, role, env });
}

async function killServer(): Promise<void> {
  const { pid = 0 } = await peekServer(stateDir);
  const mark = identifyProcess(pid);
  if (mark === undefined) throw new Error('no server to kill');
  process.kill(pid, 'SIGKILL');
  await stopProcess(mark);
}

function portOf(server: { address: string }): number {
  return Number(server.address.split(':')[1]);
}

test('the last one out stops the server, an earlier one does not', async () => {
  const first = await acquire();
  const second = await holder('look');
  expect(first.started).toBe(true);
  expect(second.told).toMatchObject({ address: first.address, started: false, workerElsewhere: true });
  await first.release();
  expect(await servesNamespace(first.address)).toBe(true);
  await second.leave();
  expect(await peekServer(stateDir)).toMatchObject({ running: false, leases: [] });
});

test.each(['ENOSPC', 'EROFS'] as const)('the last one out stops the server on a disk that takes nothing any more: %s', async (code) => {
  const [first, second] = [await acquire(), await acquire()];
  breakDisk(stateDir, code);
  await first.release();
  expect(await servesNamespace(first.address)).toBe(true);
  await second.release();
  expect(await peekServer(stateDir)).toMatchObject({ running: false });
});

test.each(['ENOSPC', 'EROFS'] as const)(
  'who looks, or finds a worker, joins a server without a lease on a disk that takes none: %s',
  async (code) => {
    const looker = await holder('look');
    breakDisk(stateDir, code);
    expect(await acquire({ role: 'look' })).toMatchObject({ address: looker.told.address, started: false, workerElsewhere: false });
    // Nobody would know about its work.
    await expect(acquire()).rejects.toMatchObject({ name: 'ServerUnavailable', message: expect.stringContaining("can't be written") });
    const worker = await holder();
    const mine = await acquire();
    expect(mine).toMatchObject({ address: worker.told.address, workerElsewhere: true, lostWorkers: [] });
    await mine.release();
    expect((await peekServer(stateDir)).leases).toHaveLength(2);
    await Promise.all([looker.leave(), worker.leave()]);
    await expect(acquire({ role: 'look' })).rejects.toMatchObject({ name: 'ServerUnavailable' });
  },
);

test('a disk that is full is reported, and no server is left that nobody knows of', async () => {
  const started = jest.spyOn(childProcess, 'spawn');
  breakDisk(join(stateDir, 'server.json'), 'ENOSPC');
  await expect(acquire()).rejects.toMatchObject({ name: 'ServerUnavailable', tried: [expect.stringContaining('ENOSPC')] });
  expect(started.mock.results.map(({ value }) => identifyProcess(value.pid))).toEqual([undefined]);
  expect(readdirSync(stateDir).filter((name) => name.startsWith('server'))).toEqual([]);
});

test('two at once start one server', async () => {
  const both = await Promise.all([holder(), holder(), holder('look')]);
  expect(new Set(both.map(({ told }) => told.address)).size).toBe(1);
  expect(both.filter(({ told }) => told.started)).toHaveLength(1);
  await Promise.all(both.map((one) => one.leave()));
  expect((await peekServer(stateDir)).running).toBe(false);
});

test('the identity of a killed worker goes to exactly one worker, and to none that only looks', async () => {
  const killed = await holder();
  await killed.kill();
  expect((await peekServer(stateDir)).leases).toMatchObject([{ identity: killed.told.identity, alive: false }]);
  const looker = await acquire({ role: 'look' });
  expect(looker).toMatchObject({ started: false, workerElsewhere: false, lostWorkers: [] });
  const takers = await Promise.all([holder(), holder()]);
  expect(takers.flatMap(({ told }) => told.lostWorkers)).toEqual([killed.told.identity]);
  await Promise.all(takers.map((taker) => taker.leave()));
  expect((await acquire()).lostWorkers).toEqual([]);
});

test('a process that takes over and is killed itself hands on what it took over', async () => {
  const first = await holder();
  await first.kill();
  const second = await holder();
  await second.kill();
  expect((await acquire()).lostWorkers).toEqual([first.told.identity, second.told.identity]);
});

test('a killed server comes back on its port while others hold leases', async () => {
  const staying = await acquire();
  await killServer();
  const next = await acquire({ preferredPort: await quietPort() });
  expect(next).toMatchObject({ started: true, address: staying.address });
});

test('a server without holders takes the preferred port, else the last one', async () => {
  const first = await acquire();
  await first.release();
  const second = await acquire();
  expect(second.address).toBe(first.address);
  await second.release();
  const preferredPort = await quietPort();
  expect(portOf(await acquire({ preferredPort }))).toBe(preferredPort);
});

describe('a port that is in use', () => {
  const busy = createServer();
  let port: number;

  beforeAll(async () => {
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    ({ port } = busy.address() as AddressInfo);
  });
  afterAll(() => new Promise((resolve) => busy.close(resolve)));

  test('is refused when it was asked for', async () => {
    await expect(acquire({ port })).rejects.toMatchObject({ name: 'ServerUnavailable', tried: [expect.stringContaining(String(port))] });
    expect(await peekServer(stateDir)).toMatchObject({ running: false, leases: [] });
  });

  test('is passed over when it was only preferred', async () => {
    expect(portOf(await acquire({ preferredPort: port }))).not.toBe(port);
  });
});

test('a server that runs on another port than the one asked for is not moved', async () => {
  await acquire();
  await expect(acquire({ port: await quietPort() })).rejects.toMatchObject({ name: 'ServerUnavailable' });
});

test('a server that does not start is reported with the end of its log', async () => {
  const broken = { ...env, THERMIDOR_TEMPORAL_CLI: join(__dirname, 'broken-server.sh') };
  const failure = await acquire({ env: broken }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    name: 'ServerUnavailable',
    tried: expect.arrayContaining([expect.stringContaining('the disk is made of cheese')]),
  });
});

test('one whose port another server took meanwhile is not taken for that one, which answers there', async () => {
  const other = await acquire();
  const files = serverFiles(join(stateDir, 'of-its-own'));
  makeStateFolders(files);
  const { ready } = launchServer(files, join(__dirname, 'late-server.sh'), portOf(other), await quietPort(), env);
  expect(await ready).toContain('address already in use');
});

test('releasing twice is releasing once', async () => {
  const server = await acquire();
  await Promise.all([server.release(), server.release()]);
  expect((await peekServer(stateDir)).running).toBe(false);
});

test('a state directory that was removed takes its server with it', async () => {
  const server = await acquire();
  rmSync(stateDir, { recursive: true });
  await server.release();
  expect(await isPortFree(portOf(server))).toBe(true);
  expect(existsSync(stateDir)).toBe(false);
});

test('peeking leaves no trace', async () => {
  expect(await peekServer(stateDir)).toMatchObject({ running: false, leases: [] });
  expect(readdirSync(join(stateDir, '..'))).toEqual([]);
});
