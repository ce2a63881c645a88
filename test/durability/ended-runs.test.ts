import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inSweep } from '../support/sweep';
import { untilListed, untilStatus } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** Runs that a real server has forgotten, by the commands of somebody who looks at them. */
const SECRET = 'hunter2-hunter2';
const ASKS = `name: asks
env:
  TOKEN: secret://env/MY_TOKEN
steps:
  - {id: a, run: 'echo "token=$TOKEN"'}
  - {id: ask, type: approval, approvers: [anyone]}
  - {id: b, run: 'echo "after $TOKEN"; exit 0'}
output: $b.stdout
`;
let scratch: Scratch;
let address: string;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer({ MY_TOKEN: SECRET });
  ({ address } = scratch.place);
  scratch.write('pipelines/asks.yaml', ASKS);
  await scratch.follow('up').untilLine(/server/);
}, SET_UP_MS);
afterAll(() => scratch.close());

const workflow = (verb: string, run: string, ...args: string[]) =>
  scratch.temporal('workflow', verb, '-w', run, ...args, '--address', address);

/** What commands answer; the time that passes shows in none of these. */
async function answers(run: string): Promise<string[]> {
  const said: string[] = [];
  for (const line of [
    ['status', run],
    ['status', run, '--rounds'],
    ['journal', run],
    ['show', run, 'a'],
    ['why', run],
    ['logs', run],
    ['rerun', run, '--from', 'no'],
  ])
    for (const more of line[0] === 'why' || line[0] === 'rerun' ? ['--json'] : [undefined, '--json']) {
      const { code, out, err } = await scratch.ask(...line, ...(more === undefined ? [] : [more]));
      said.push(`${line.join(' ')} ${more}: ${code}\n${out}${err}`);
    }
  return said;
}

async function forget(run: string): Promise<void> {
  expect(await workflow('delete', run, '--yes')).toMatchObject({ code: 0 });
  await until(`the server has forgotten ${run}`, async () => (await workflow('describe', run)).code !== 0);
}

/** Nobody asks the run itself while it opens: a query may complete the task of the opening, and a replay has another time for it then. */
async function start(run: string): Promise<void> {
  expect(await scratch.ask('run', 'asks', '--id', run, '--detach')).toMatchObject({ code: 0 });
  await untilListed(scratch, [], 'it asks', (runs) => runs.some((one) => one.run === run && one.state === 'waiting'));
}

/** Every file of the store that is about the run's end. */
function records(run: string): string {
  const state = scratch.path('.thermidor');
  const folder = join(state, 'ledger', run);
  const lines = readdirSync(folder).map((first) => readFileSync(join(folder, first, 'ended.jsonl'), 'utf8'));
  const digests = [...lines.join('').matchAll(/"content":\{"sha256":"(\w+)"/g)].map(([, sha256 = '']) => sha256);
  const stored = readdirSync(join(state, 'artifacts'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    digests.some((sha256) => file.replaceAll('/', '').includes(sha256)),
  );
  expect(stored.length).toBeGreaterThan(0);
  return [...lines, ...stored.map((file) => readFileSync(join(state, 'artifacts', file), 'utf8'))].join('\n');
}

test('a run that ended by itself reads as before, has no secret in its record, can be rerun, and takes no orders', async () => {
  await start('done-1');
  expect(await scratch.ask('approve', 'done-1', '--by', 'ann', '--detach')).toMatchObject({ code: 0 });
  await untilStatus(scratch, 'done-1', 'it is done', ({ state }) => state === 'completed');
  const before = await answers('done-1');
  await forget('done-1');
  expect(await answers('done-1')).toEqual(before);
  expect(before.join()).toContain('after ***');
  expect(records('done-1')).not.toContain(SECRET);
  expect(readJson(await scratch.ask('list', '--json'))).toEqual({ runs: [] });
  expect(readJson(await scratch.ask('list', '--ended', '--json'))).toMatchObject({ runs: [{ run: 'done-1', state: 'completed' }] });
  expect(readJson(await scratch.ask('approve', 'done-1', '--by', 'ann', '--json'))).toMatchObject({ error: { code: 'run.ended' } });
  const rerun = await scratch.ask('rerun', 'done-1', '--from', 'b', '--id', 'again', '--detach', '--json');
  expect(readJson(rerun)).toMatchObject({ run: 'again', rerunOf: 'done-1', from: 'b', carried: ['a', 'ask'], again: ['b'] });
  await untilStatus(scratch, 'again', 'it is done', ({ state }) => state === 'completed');
  expect(readJson(await scratch.ask('status', 'nosuch', '--json'))).toMatchObject({ error: { code: 'run.not-found' } });
});

inSweep.test('a run that the server ended has its record from a worker, with the server’s word, and continues in a rerun', async () => {
  await start('cut-1');
  expect(await workflow('terminate', 'cut-1', '--reason', 'enough of it')).toMatchObject({ code: 0 });
  const folder = scratch.path('.thermidor/ledger/cut-1');
  await until('a worker has written the record', async () =>
    readdirSync(folder).some((run) => readdirSync(join(folder, run)).includes('ended.jsonl')),
  );
  const before = await answers('cut-1');
  await forget('cut-1');
  expect(await answers('cut-1')).toEqual(before);
  expect(before.join()).toContain('terminated: enough of it');
  expect(await scratch.ask('rerun', 'cut-1', '--from', 'ask', '--id', 'cut-2', '--detach')).toMatchObject({ code: 0 });
  await untilStatus(scratch, 'cut-2', 'it asks', ({ gates }) => gates.length === 1);
});
