import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresServer } from '../../bench/store/postgres-server';
import { openRecords } from '../../records/open-records';
import { testOnPostgres } from '../support/on-postgres';
import { untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** `store copy` as somebody types it, next to a real server. */
const ASKS = 'name: asks\nsteps:\n  - {id: a, run: echo one}\n  - {id: ask, type: approval, approvers: [anyone]}\n';
let scratch: Scratch;
beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  scratch.write('pipelines/asks.yaml', ASKS);
  scratch.write('thermidor.yaml', '');
}, SET_UP_MS);
afterAll(() => scratch.close());

const copy = (...args: string[]) => scratch.ask('store', 'copy', ...args);

async function stopped(worker: ReturnType<Scratch['thermidor']>): Promise<void> {
  worker.signal('SIGTERM');
  await worker.finished;
}

test('it refuses a store that a worker uses, and one with a run that waits; then it copies, and the second time nothing is left to do', async () => {
  const first = scratch.thermidor('worker');
  await scratch.ask('run', 'asks', '--id', 'waits', '--detach');
  await untilStatus(scratch, 'waits', 'it asks', ({ gates }) => gates.length === 1);
  const refusal = (says: RegExp) => ({ code: 1, out: '', err: expect.stringMatching(says) });
  expect(await copy('.thermidor', 'moved')).toMatchObject(refusal(/(?:workers|processes) use \S*\.thermidor: .* {2}store\.copy-refused/));
  await stopped(first);
  expect(await copy('.thermidor', 'moved')).toMatchObject(refusal(/runs are open: waits {2}store\.copy-refused/));
  const worker = scratch.thermidor('worker');
  await scratch.ask('approve', 'waits', 'ask', '--by', 'ann');
  await untilStatus(scratch, 'waits', 'it ended', ({ state }) => state === 'completed');
  expect(existsSync(scratch.path('moved'))).toBe(false);
  await stopped(worker);
  expect(await copy('.thermidor', 'moved')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^✓ copied \d+ contents, .* and read all of it again\n$/),
  });
  expect(await copy('.thermidor', 'moved')).toMatchObject({ code: 0, out: expect.stringMatching(/^nothing to do: /) });
  const moved = openRecords({ stateDir: scratch.path('moved') });
  expect(await moved.ended.list({ by: 'endedAt' })).toMatchObject([{ run: 'waits', state: 'completed' }]);
});

const RECORDS = 1000;

testOnPostgres('a copy to a database that is killed in the middle is finished by the same command', async () => {
  const folder = join(scratch.folder, 'many');
  const { identity, ledger } = openRecords({ stateDir: folder });
  await identity.installation();
  await Promise.all(Array.from({ length: RECORDS }, (_, n) => ledger.putIfAbsent({ workflowId: `w${n}`, run: 'r' }, 'name', n)));
  const server = await PostgresServer.start({ settings: ['fsync=off'] });
  try {
    const { url } = server.place();
    const first = scratch.thermidor('store', 'copy', 'many', url);
    await until('it has copied some', () => some(server).then((is) => is || first.ended));
    await first.kill();
    expect(await first.finished).toMatchObject({ code: null, out: '' });
    const { out } = await copy('many', url, '--json');
    const { parts } = JSON.parse(out) as { parts: { record: { copied: number; there: number } } };
    expect(parts.record.copied + parts.record.there).toBe(RECORDS);
    expect(parts.record.copied).toBeGreaterThan(0);
    expect(parts.record.there).toBeGreaterThan(0);
    expect(await copy('many', url)).toMatchObject({ code: 0, out: expect.stringMatching(/^nothing to do: /) });
  } finally {
    await server.stop();
  }
});

/** Whether the copy has put a record. */
async function some(server: PostgresServer): Promise<boolean> {
  return await server
    .run('do $$ begin if not exists (select from thermidor.record) then raise exception using message = 1; end if; end $$')
    .then(
      () => true,
      () => false,
    );
}
