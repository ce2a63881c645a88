import { setImmediate as turn } from 'node:timers/promises';
import { keepVersionServed, type Served } from '../../worker/keep-version-served';
import { FakeDeployments, grpcError } from './fake-deployments';

let server: FakeDeployments;
const stops: (() => void)[] = [];
let logged: string[];
/** Workers that beat as long as they live; their clocks are theirs alone. */
const living = new Map<string, { build: string; clock: number }>();

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  server = new FakeDeployments();
  logged = [];
  living.clear();
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  jest.useRealTimers();
});

function start(build: string, more: Partial<Served> = {}): () => void {
  const stop = keepVersionServed({ ...server.worker(build, (level, message) => logged.push(`${level} ${message}`)), ...more });
  stops.push(stop);
  return stop;
}

async function pass(seconds: number): Promise<void> {
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    jest.advanceTimersByTime(100);
    for (const [name, worker] of living) {
      worker.clock += 0.1;
      server.beat(name, worker.build, Math.floor(worker.clock / 5) * 5);
    }
    for (let round = 0; round < 6; round++) await turn();
  }
}

/** Starts a worker of `b` while one of `a`, which is current, works. */
function beginNext(clock = 0): void {
  server.known = ['app+a', 'app+b'];
  server.promote('app+a');
  living.set('w', { build: 'app+a', clock });
  start('app+b');
}

test('the first of a fleet becomes current as soon as the server knows it, and says what it reads', async () => {
  start('app+a');
  await pass(2);
  expect(server.asked).toEqual([]);
  server.known = ['app+a'];
  await pass(2.5);
  expect([server.current, server.told]).toEqual(['app+a', ['app+a']]);
  await pass(60);
  expect(server.asked).toEqual(['app+a']);
  expect(logged).toEqual(['info version a is current: this worker takes work']);
});

test('of two that start at once one decides, and both work', async () => {
  server.known = ['app+a', 'app+b'];
  server.meanwhile = () => {
    if (server.current === '') server.promote('app+a');
  };
  living.set('w', { build: 'app+a', clock: 0 });
  start('app+b');
  await pass(120);
  expect([server.current, server.asked]).toEqual(['app+a', ['app+b']]);
  expect(logged).toEqual(['warn this worker takes no work: version a is current, until `thermidor fleet promote b`']);
});

test.each([0, -100_000, 100_000])('a version that is served keeps the work, with a clock %i s away', async (away) => {
  beginNext(Date.now() / 1000 + away);
  await pass(300);
  expect([server.current, server.asked]).toEqual(['app+a', []]);
});

test('a worker that ends in order makes way within seconds', async () => {
  beginNext();
  await pass(20);
  living.clear();
  server.beat('w', 'app+a', 20, 2);
  await pass(6);
  expect(server.current).toBe('app+a');
  await pass(6);
  expect(server.current).toBe('app+b');
  expect(logged).toContain('warn nobody serves version a any more: workers of version b take its place');
});

test('a worker that was killed makes way within a minute; one that comes back in time does not', async () => {
  beginNext();
  await pass(20);
  living.clear();
  await pass(25);
  living.set('w', { build: 'app+a', clock: 500 });
  await pass(100);
  expect(server.current).toBe('app+a');
  living.clear();
  await pass(60);
  expect(server.current).toBe('app+b');
});

test.each([3, 12])('a server that does not list workers (%i) is asked for polls', async (code) => {
  server.known = ['app+a', 'app+b'];
  server.promote('app+a');
  server.failures['list'] = grpcError(code);
  server.beat('w', 'app+a', Date.now() / 1000);
  start('app+b');
  await pass(60);
  expect(server.current).toBe('app+a');
  await pass(30);
  expect(server.current).toBe('app+b');
});

test('a change that the server refuses is tried again only at the next look', async () => {
  server.known = ['app+a'];
  server.failures['set'] = grpcError(9, 'missing task queues');
  start('app+a');
  await pass(60);
  expect(server.asked.length).toBeLessThan(40);
  delete server.failures['set'];
  await pass(2);
  expect(server.current).toBe('app+a');
});

test('a server that denies it is named once', async () => {
  server.known = ['app+a'];
  server.failures['set'] = grpcError(7, 'no rights');
  start('app+a');
  await pass(60);
  expect(logged).toEqual(['warn cannot look after the version of this worker: no rights']);
});

test('a worker that stops promotes nothing', async () => {
  server.known = ['app+a'];
  let stopping = true;
  start('app+a', { isStopping: () => stopping });
  await pass(20);
  stopping = false;
  await pass(20);
  expect(server.asked).toEqual([]);
});

test('with `versions: off` a worker waits for those of the current version to end, and takes their place', async () => {
  start('');
  await pass(20);
  server.known = ['app+a'];
  server.promote('app+a');
  living.set('w', { build: 'app+a', clock: 0 });
  await pass(60);
  expect(server.current).toBe('app+a');
  expect(logged).toEqual(['warn this worker takes no work: version a is current, as long as one of its workers runs']);
  living.clear();
  await pass(60);
  expect(server.current).toBe('');
});

test.each([7, 12])('with `versions: off` a server without deployments (%i) is not asked again', async (code) => {
  let asked = 0;
  server.failures['describe'] = grpcError(code);
  const worker = server.worker('');
  const withDeadline = async (_: number, request: () => Promise<unknown>): Promise<unknown> => {
    asked += 1;
    return await request();
  };
  start('', { connection: { ...worker.connection, withDeadline } as Served['connection'] });
  await pass(60);
  expect([asked, logged]).toEqual([1, []]);
});
