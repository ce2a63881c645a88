import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { inSweep } from '../support/sweep';
import { MAIN_JOB, MAIN_JOB_REQUESTS, startDetached, timesRequested, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { writeScript } from './support/scripts';
import { until } from './support/until';

/** kill -9 of the embedded server: the database has everything that was acknowledged. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
  scratch.addPipelines();
  writeScript(scratch, 'quick', { people: [] });
}, SET_UP_MS);
afterAll(() => scratch.close());

test('in a gate, under a command that watches: it comes back, and the decision ends the run', async () => {
  const run = await startDetached(scratch, MAIN_JOB, '--script', 'quick');
  const watching = scratch.follow('watch', run);
  await watching.untilLine(/approve +waiting/);
  await scratch.killServer();
  expect(await scratch.ask('approve', run, '--by', 'chairman')).toMatchObject({ code: 0 });
  expect(await watching.finished).toMatchObject({ code: 0 });
  expect(timesRequested(scratch, run)).toEqual(MAIN_JOB_REQUESTS);
});

inSweep.test('in a gate, together with the process that watches: the next command starts it again', async () => {
  const run = await startDetached(scratch, MAIN_JOB, '--script', 'quick');
  const watching = scratch.thermidor('watch', run);
  await watching.untilLine(/approve +waiting/);
  await Promise.all([watching.kill(), scratch.killServer()]);
  expect(await scratch.ask('approve', run, '--by', 'chairman')).toMatchObject({ code: 0 });
  await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
  expect(timesRequested(scratch, run)).toEqual(MAIN_JOB_REQUESTS);
});

inSweep.test('a server that is silent: its worker is not ready after 15 s, says so, and is ready again by itself', async () => {
  const folder = scratch.within('silent');
  const port = await freePort();
  const up = folder.thermidor('up', '--no-callbacks', '--metrics-port', String(port));
  await up.until('it serves', () => up.out.includes('web UI'));
  const ready = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  expect(await ready()).toBe(200);
  const { process: server } = JSON.parse(folder.lines('.thermidor/server.json').join('')) as { process: { pid: number } };
  process.kill(server.pid, 'SIGSTOP');
  try {
    await until('it is not ready', async () => (await ready()) === 503);
  } finally {
    process.kill(server.pid, 'SIGCONT');
  }
  await until('it is ready again', async () => (await ready()) === 200);
  const logged = (words: string): boolean => readFileSync(folder.path('.thermidor/logs/worker.log'), 'utf8').includes(words);
  expect([logged('the server has not answered for 15 s'), logged('the server answers again')]).toEqual([true, true]);
  up.signal('SIGTERM');
  expect(await up.finished).toMatchObject({ code: 0 });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
