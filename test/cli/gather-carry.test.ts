import { gatherCarry } from '../../cli/rerun/gather-carry';
import type { ThermidorClient } from '../../client/connect';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { Carry, CarryAnswer, CarryProblem, CarryQuery } from '../../plan/run/carry';
import { openRecords } from '../../records/open-records';
import type { Records } from '../../records/records';
import { scratchFolder } from '../support/scratch-folder';

let folder: string;
let stores: Records;
let output: ArtifactRef;
beforeEach(async () => {
  folder = scratchFolder();
  stores = openRecords({ stateDir: folder });
  output = await stores.artifacts.put('{}', { mediaType: 'application/json', name: 'Bullish_Brief.json' });
});

type Asked = CarryQuery & { part?: object };

/** A client whose runs answer with what they carry. */
function clientOf(answer: (run: string, query: CarryQuery) => CarryAnswer | CarryProblem): ThermidorClient {
  return {
    call: (request: () => unknown) => request(),
    temporal: {
      workflow: { getHandle: (run: string) => ({ query: async (_: string, { part: _whole, ...query }: Asked) => answer(run, query) }) },
    },
  } as unknown as ThermidorClient;
}

const answerOf = (run: string, records: Carry['records'], more: Partial<CarryAnswer> = {}): CarryAnswer => ({
  carry: { run, from: 'x', records },
  again: ['x'],
  gates: { carried: [], again: [] },
  notes: [],
  ...more,
});
const done = (artifact: ArtifactRef) => ({ state: 'done' as const, round: 1, try: 1, output: { artifact } });

test('what is carried is stored, and is reported by its addresses', async () => {
  const gathered = await gatherCarry(
    clientOf((run) => answerOf(run, { bull: done(output) })),
    stores,
    'r',
    { from: 'x' },
    { plan: 'p', args: { amount: 1 } },
  );
  expect(gathered).toMatchObject({ carried: ['bull'], again: ['x'], notes: [] });
  const stored = JSON.parse((await stores.control.get(gathered.ref)).toString()) as Carry;
  expect(stored).toEqual({ run: 'r', from: 'x', records: { bull: done(output) }, begins: { plan: 'p', args: { amount: 1 } } });
});

test('an output that is not in the store is reported by its step and its name, and nothing is stored', async () => {
  const gone = { ...output, sha256: 'a'.repeat(64) };
  const loop = { state: 'pending' as const, round: 1, try: 1, loop: { list: gone } };
  for (const [step, record] of [
    ['bull', done(gone)],
    ['each', loop],
  ] as const) {
    const gathering = gatherCarry(
      clientOf((run) => answerOf(run, { [step]: record })),
      stores,
      'r',
      { from: 'x' },
    );
    await expect(gathering).rejects.toMatchObject({
      code: 'rerun.missing-output',
      message: expect.stringContaining(`Bullish_Brief.json of ${step}`),
      more: { details: { step } },
    });
  }
});

test('the child pipeline that contains the step is asked for what it carries, at any depth', async () => {
  const client = clientOf((run, { from }) => {
    if (run === 'r') return answerOf(run, { a: done(output) }, { child: { path: 'deploy', run: 'r.deploy', from: 'inner/x' }, again: [] });
    if (run === 'r.deploy') return answerOf(run, {}, { child: { path: 'inner', run: 'r.deploy.inner', from: 'x' }, again: [] });
    return answerOf(run, { [`before-${from}`]: done(output) });
  });
  const gathered = await gatherCarry(client, stores, 'r', { from: 'deploy/inner/x' });
  expect(gathered).toMatchObject({ carried: ['a', 'deploy/inner/before-x'], again: ['deploy/inner/x'] });
  const top = JSON.parse((await stores.control.get(gathered.ref)).toString()) as Carry;
  const middle = JSON.parse((await stores.control.get(top.children?.['deploy'] ?? gathered.ref)).toString()) as Carry;
  const inner = JSON.parse((await stores.control.get(middle.children?.['inner'] ?? gathered.ref)).toString()) as Carry;
  expect(inner).toMatchObject({ run: 'r.deploy.inner', records: { 'before-x': { state: 'done' } } });
});

test('a run that cannot be begun from there says why', async () => {
  const gathering = gatherCarry(
    clientOf(() => ({ problem: 'there is no step "y"' })),
    stores,
    'r',
    { from: 'y' },
  );
  await expect(gathering).rejects.toMatchObject({ code: 'rerun.impossible', exit: 2, message: 'r: there is no step "y"' });
});

test('more than a run may begin with is refused before anything is started', async () => {
  const long = { ...output, name: 'x'.repeat(1_000_000) };
  const records = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`step-${i}`, done(long)]));
  const gathering = gatherCarry(
    clientOf((run) => answerOf(run, records)),
    stores,
    'r',
    { from: 'x' },
  );
  await expect(gathering).rejects.toMatchObject({ code: 'rerun.too-large' });
});

test('each decision is reported with the path to its gate, and a child pipeline learns what has changed after it', async () => {
  const asked: [string, CarryQuery][] = [];
  const gates = { carried: [{ gate: 'ask', choice: 'approve', by: ['ann'] }], again: [{ gate: 'other', because: 'it reads x' }] };
  const client = clientOf((run, query) => {
    asked.push([run, query]);
    if (run === 'r') return answerOf(run, {}, { gates, child: { path: 'deploy', run: 'r.deploy', from: 'x', behind: 'tell reads arg y' } });
    return answerOf(run, {}, { gates });
  });
  const query: CarryQuery = { from: 'deploy/x', again: ['tell'], changed: { 'arg y': ['tell'] }, startedBy: 'bob', otherScript: true };
  const gathered = await gatherCarry(client, stores, 'r', query);
  expect(asked[1]).toEqual(['r.deploy', { from: 'x', behind: 'tell reads arg y', startedBy: 'bob', otherScript: true }]);
  expect(gathered.gates.carried.map(({ gate }) => gate)).toEqual(['ask', 'deploy/ask']);
  expect(gathered.gates.again.map(({ gate }) => gate)).toEqual(['other', 'deploy/other']);
});

test('what the run has not heard about is looked up in the ledger, and asked about again only if it is there', async () => {
  const unreported = { run: 'first', calls: [{ call: 'bull#1~1', kind: 'agent' as const }] };
  const asked: CarryQuery[] = [];
  const client = clientOf((run, query) => {
    asked.push(query);
    return query.recorded ? answerOf(run, { bull: done(output) }) : answerOf(run, {}, { unreported });
  });
  expect((await gatherCarry(client, stores, 'r', { from: 'x' })).carried).toEqual([]);
  const key = { workflowId: 'r', run: 'first' };
  await stores.ledger.putIfAbsent(key, 'run', {});
  await stores.ledger.putIfAbsent(key, 'bull#1~1', { artifact: { ...output } });
  expect((await gatherCarry(client, stores, 'r', { from: 'x' })).carried).toEqual(['bull']);
  expect(asked.map(({ recorded }) => recorded)).toEqual([undefined, undefined, { 'bull#1~1': { artifact: output } }]);
});
