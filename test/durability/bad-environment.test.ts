import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { identifyProcess } from '../../records/locks/process-identity';
import { inSweep } from '../support/sweep';
import type { Program } from './support/program';
import { startDetached, untilStatus } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** A machine with troubles: each is named together with what was tried, and nothing is lost. */
interface Refusal {
  error: { code: string; message: string; hint?: string; details?: { tried: string[] } };
}

const MAIN = resolve(__dirname, '../../dist/cli/main.js');

let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
  scratch.write(
    'pipelines/echo.yaml',
    'name: echo\nsteps:\n  - id: one\n    run: echo one\n  - id: sign\n    type: approval\n  - id: two\n    run: echo two\n',
  );
  scratch.write('pipelines/bad.yaml', 'name: bad\nsteps:\n  - id: one\n    run: exit 1\n');
}, SET_UP_MS);
afterAll(() => scratch.close());

test('a port in use is refused with its number', async () => {
  const busy = createServer();
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const { port } = busy.address() as AddressInfo;
  const finished = await scratch.ask('up', '--port', String(port), '--json');
  expect(finished.code).toBe(4);
  expect(readJson(finished)).toMatchObject({ error: { code: 'server.unavailable', message: expect.stringContaining(String(port)) } });
  await new Promise((resolve) => busy.close(resolve));
});

test('a server that can be had in no way: every way that was tried is listed', async () => {
  const nowhere = `http://127.0.0.1:9`;
  const env = {
    PATH: scratch.path('home'),
    THERMIDOR_TEMPORAL_CLI: scratch.write('broken', 'not a program'),
    XDG_CACHE_HOME: scratch.path('home/cache'),
    HTTPS_PROXY: nowhere,
    https_proxy: nowhere,
    HTTP_PROXY: nowhere,
    http_proxy: nowhere,
  };
  const finished = await scratch.askWith(env, 'run', 'echo', '--state-dir', 'elsewhere', '--json');
  expect(finished.code).toBe(4);
  const { error } = readJson<Refusal>(finished);
  expect(error).toMatchObject({ code: 'server.unavailable', hint: expect.any(String) });
  expect(error.details?.tried.map((line) => line.split(':')[0])).toEqual([
    'THERMIDOR_TEMPORAL_CLI',
    'temporal on the PATH',
    'the cache',
    expect.stringMatching(/SDK/),
    expect.stringMatching(/wheel/),
    expect.stringMatching(/go install/),
  ]);
});

test('a server that was configured and does not answer', async () => {
  const finished = await scratch.askWith({ TEMPORAL_ADDRESS: '127.0.0.1:9' }, 'list', '--json');
  expect(finished.code).toBe(4);
  expect(readJson(finished)).toMatchObject({ error: { code: 'server.unreachable', message: expect.stringContaining('127.0.0.1:9') } });
});

test('a state directory that cannot be made', async () => {
  scratch.write('file', '');
  const finished = await scratch.ask('run', 'echo', '--state-dir', 'file', '--json');
  expect(finished.code).toBe(4);
  expect(readJson(finished)).toMatchObject({ error: { code: expect.stringMatching(/^(store|server)\.unavailable$/) } });
});

test.each(['help', 'list --json', 'validate pipelines/echo.yaml', 'validate nothing --json'])(
  '%s onto a full disk fails with a message, and not with a trace',
  (words) => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...words.split(' ')], {
      cwd: scratch.folder,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect({ status, stderr: stderr.split('\n').filter((line) => line.includes('cannot be written')) }).toEqual({
      status: 1,
      stderr: ['error the output cannot be written: ENOSPC: no space left on device, write'],
    });
    expect(stderr).not.toMatch(/^ +at /m);
  },
);

test('nobody reads what it says any more: it ends in order all the same, and the server with it', async () => {
  const up = scratch.thermidor('up', '--json', '--state-dir', 'unread');
  const { address } = JSON.parse(await up.untilLine(/"address"/)) as { address: string };
  const port = Number(address.split(':')[1]);
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.unref().on('connect', () => socket.destroy());
    });
  expect(await answers()).toBe(true);
  up.unread();
  up.signal('SIGTERM');
  expect(await up.finished).toMatchObject({ code: 0 });
  expect(await answers()).toBe(false);
});

describe('a worker whose log', () => {
  const inLog = (run: string) => scratch.lines('.thermidor/logs/worker.log').some((line) => line.includes(run));

  async function works(worker: Program): Promise<void> {
    await until('it works', () => worker.err.includes('task queue'));
    const run = await startDetached(scratch, 'pipelines/bad.yaml');
    await untilStatus(scratch, run, 'it has failed', ({ state }) => state === 'failed');
    await until('that is in its log', () => inLog(run));
  }

  test('nobody reads: it works, and ends in order', async () => {
    const pipe = scratch.path('pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    expect(() => {
      for (;;) writeSync(reader, '.'.repeat(4096));
    }).toThrow(/EAGAIN/);
    const worker = scratch.start('sh', ['-c', `exec "$0" "$@" > '${pipe}'`, process.execPath, MAIN, 'worker', '--log', 'json']);
    await works(worker);
    worker.signal('SIGTERM');
    expect(await worker.finished).toMatchObject({ code: 0 });
    closeSync(reader);
  });

  test('has lost its reader: it works on without it', async () => {
    const worker = scratch.thermidor('worker', '--log', 'json');
    await works(worker);
    worker.unread();
    for (let n = 0; n < 2; n += 1) {
      const run = await startDetached(scratch, 'pipelines/bad.yaml');
      await untilStatus(scratch, run, 'it has failed', ({ state }) => state === 'failed');
      await until('that is in its log', () => inLog(run));
    }
    expect(worker.ended).toBe(false);
    worker.signal('SIGTERM');
    expect(await worker.finished).toMatchObject({ code: 0 });
  });
});

inSweep.test('a store that went away in mid-run: the run waits for it and then goes on, nothing lost', async () => {
  await scratch.keepServer();
  const { run } = readJson<{ run: string }>(await scratch.ask('run', 'echo', '--json'));
  const bringBack = takeStoreAway();
  const approving = scratch.thermidor('approve', run, '--by', 'chairman');
  await until('the worker tells of the store', () =>
    scratch.lines('.thermidor/logs/worker.log').some((line) => line.includes('store.unavailable')),
  );
  bringBack();
  expect(await approving.finished).toMatchObject({ code: 0 });
  expect(await scratch.json('status', run)).toMatchObject({
    state: 'completed',
    steps: [{ state: 'done' }, { state: 'done' }, { state: 'done' }],
  });
});

inSweep.test('a store that went away while the rule of a vote decides: why says so, and the run goes on when it is back', async () => {
  await scratch.keepServer();
  scratch.write(
    'pipelines/pick.yaml',
    'name: pick\nsteps:\n  - {id: decide, type: consensus, proposal: Shall we?, voters: [person("cfo"), person("ceo")], rounds: 1, timeout: 30m}\n',
  );
  const { run } = readJson<{ run: string }>(await scratch.ask('run', 'pick', '--json'));
  const vote = ['--approve', '--rationale', 'cheaper'];
  expect(await scratch.ask('vote', run, 'decide', '--by', 'cfo', ...vote)).toMatchObject({ code: 0 });
  const bringBack = takeStoreAway();
  const voting = scratch.thermidor('vote', run, 'decide', '--by', 'ceo', ...vote);
  await until('why names the rule', async () => (await scratch.ask('why', run)).out.includes('its rule to decide'));
  bringBack();
  expect(await voting.finished).toMatchObject({ code: 0 });
  expect(await scratch.json('status', run)).toMatchObject({ state: 'completed' });
});

test('a state folder that is deleted under a live run: it is said, nothing goes on, and nothing is made again', async () => {
  scratch.write(
    'pipelines/deleted.yaml',
    'name: deleted\nsteps:\n  - id: one\n    run: echo one >> ran\n  - id: two\n    run: echo two >> ran; until [ -e go ]; do sleep 0.05; done\n  - id: three\n    run: echo three >> ran\n',
  );
  const state = scratch.path('deleted-state');
  const running = scratch.thermidor('run', 'deleted', '--state-dir', state, '--json');
  await running.until('the second command works', () => existsSync(scratch.path('ran')) && scratch.lines('ran').length === 2);
  const server = readFileSync(join(state, 'server.json'), 'utf8');
  rmSync(state, { recursive: true });
  await running.until('it is said', () => running.err.includes('finishing work') || running.ended);
  scratch.write('go', '');
  const finished = await running.finished;
  expect(finished.code).toBe(4);
  expect(readJson(finished)).toMatchObject({ error: { code: 'store.unavailable', details: { reason: 'LOST' } } });
  expect(scratch.lines('ran')).toEqual(['one', 'two']);
  expect(existsSync(join(state, 'ledger'))).toBe(false);
  const { process: mark } = JSON.parse(server) as { process: { pid: number } };
  await until('its server is gone', () => identifyProcess(mark.pid) === undefined);
});

/**
 * A file stands in the place of the store's folder until the folder comes back in one move: at no moment may the worker make a new one
 * there.
 */
function takeStoreAway(): () => void {
  const artifacts = scratch.path('.thermidor/artifacts');
  const aside = scratch.path('artifacts-aside');
  if (lstatSync(artifacts).isSymbolicLink()) unlinkSync(artifacts);
  else renameSync(artifacts, aside);
  symlinkSync(scratch.write('no-folder', 'a file where the folder was'), artifacts);
  return () => {
    symlinkSync(aside, scratch.path('back'));
    renameSync(scratch.path('back'), artifacts);
  };
}
