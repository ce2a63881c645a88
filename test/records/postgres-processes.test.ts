import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PostgresServer } from '../../bench/store/postgres-server';
import type { LastingGrant } from '../../records/lasting-grants';
import { openRecords } from '../../records/open-records';
import type { Records } from '../../records/records';
import { KEY, scratchFolder } from '../activities/workshop';
import { LossyNetwork } from '../support/lossy-network';
import { testOnPostgres } from '../support/on-postgres';
import { until } from '../support/until';

/** Several processes on one database, as on several hosts, while answers are lost and the server is killed. */
const WORKERS = 4;
const CALLS = 4;
const LIMIT = 2;

const PROGRAM = `
const given = JSON.parse(process.argv[1]);
const { openRecords } = require(given.dist + '/records/open-records.js');
const records = openRecords({ stateDir: given.stateDir, postgres: given.place });
// As an activity is tried again.
const again = async (work) => {
  for (;;) {
    try { return await work(); } catch (error) { if (error.code !== 'store.unavailable') throw error; }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
(async () => {
  const { slots, grants, identity, ledger } = records;
  for (let n = 0; n < given.calls; n += 1) {
    const call = { workflowId: 'p', run: 'first', step: given.worker + '-' + n };
    while (!(await again(() => slots.take('demo', call, given.limit))).taken) await new Promise((resolve) => setTimeout(resolve, 10));
    await again(() => ledger.append(given.key, 'held', { call: call.step, is: 'in' }));
    await again(() => grants.add({ ...given.grant, id: 'answer-' + n, project: 'acme' }));
    await again(() => ledger.append(given.key, 'held', { call: call.step, is: 'out' }));
    await again(() => slots.give('demo', call, given.limit));
  }
  const first = await again(() => ledger.putIfAbsent(given.key, 'first', given.worker));
  const ids = [await again(() => identity.storeId()), await again(() => identity.installation())];
  process.stdout.write(JSON.stringify([first, ...ids]));
  process.exit(0);
})().catch((error) => { console.error(error); process.exit(1); });
`;

const GRANT = { categories: ['deploy'], at: '2026-01-01T00:00:00Z', run: 'r' } satisfies Partial<LastingGrant>;

let server: PostgresServer | undefined;
let network: LossyNetwork | undefined;

afterAll(async () => {
  await network?.stop();
  await server?.stop();
});

testOnPostgres('workers agree, hold no more slots than there are, and lose nothing, whatever becomes of answers and server', async () => {
  server = await PostgresServer.start();
  const place = await server.store();
  network = await LossyNetwork.start(server.port);
  const url = new URL(place.url);
  url.port = String(network.port);
  const records = openRecords({ stateDir: scratchFolder(), postgres: place });
  const workers = Array.from({ length: WORKERS }, (_, worker) => startWorker(worker, { ...place, url: url.href }));
  await until(async () => (await heldIn(records)).length >= WORKERS);
  await server.kill('SIGKILL');
  await server.startAgain();
  const said = await Promise.all(workers);
  expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1);
  const calls = Array.from({ length: WORKERS * CALLS }, (_, n) => `${Math.floor(n / CALLS)}-${n % CALLS}`);
  const held = await heldIn(records);
  for (const is of ['in', 'out']) expect(new Set(held.flatMap((one) => (one.is === is ? [one.call] : []))).size).toBe(calls.length);
  expect(mostAtOnce(held)).toBeLessThanOrEqual(LIMIT);
  expect(await records.grants.list('acme')).toHaveLength(1);
  expect((await records.slots.take('demo', { workflowId: 'p', run: 'first', step: 'last' }, 1)).taken).toBe(true);
  expect(network.met['answer-lost']).toBeGreaterThan(WORKERS * CALLS);
});

interface Held {
  call: string;
  is: 'in' | 'out';
}

async function heldIn({ ledger }: Records): Promise<Held[]> {
  return (await ledger.lines(KEY, 'held')) as unknown as Held[];
}

/** A line may be there twice, if a worker did not learn that it was written; each is from the time of the hold. */
function mostAtOnce(lines: readonly Held[]): number {
  const last = new Map(lines.map(({ call, is }, at) => [`${call} ${is}`, at]));
  const holding = new Set<string>();
  let most = 0;
  for (const [at, { call, is }] of lines.entries()) {
    if (is === 'in') holding.add(call);
    else if (last.get(`${call} out`) === at) holding.delete(call);
    most = Math.max(most, holding.size);
  }
  return most;
}

async function startWorker(worker: number, place: object): Promise<unknown> {
  const dist = join(__dirname, '../../dist');
  const given = { worker, place, dist, stateDir: scratchFolder(), calls: CALLS, limit: LIMIT, key: KEY, grant: GRANT };
  const child = spawn(process.execPath, ['-e', PROGRAM, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`it ended with ${code}`);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
