import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { recordedView } from '../../cli/rerun/recorded-view';
import type { RunView, StepView } from '../../plan/run/status';
import { openRecords } from '../../records/open-records';
import type { Records } from '../../records/records';
import { RUN_RECORD } from '../../records/runs/run-record';
import { scratchFolder } from '../support/scratch-folder';
import { at, runView, stepView } from './views';

let folder: string;
let stores: Records;
const key = { workflowId: runView([]).run, run: runView([]).firstRunId };
beforeEach(async () => {
  folder = scratchFolder();
  stores = openRecords({ stateDir: folder });
  await stores.ledger.putIfAbsent(key, RUN_RECORD, {});
});

const broken = (...steps: StepView[]): RunView => runView(steps, { state: 'failed' });
const begun = (id: string, more: Partial<StepView> = {}) => stepView(id, { kind: 'agent', state: 'skipped', startedAt: at(1), ...more });
const states = async (view: RunView) => (await recordedView(view, () => stores)).steps.map(({ state }) => state);

test('a step that began, has not failed and is in the ledger is done, with its cost', async () => {
  await stores.ledger.putIfAbsent(key, 'bull#1~1', { adapter: 'x', usage: { inputTokens: 4 } });
  const { steps } = await recordedView(broken(begun('bull'), begun('bear'), stepView('last')), () => stores);
  expect(steps).toMatchObject([{ state: 'done', adapter: 'x', usage: { inputTokens: 4 } }, { state: 'skipped' }, { state: 'pending' }]);
});

test('what waits for a person, or for what a verdict asks, is not done', async () => {
  await stores.ledger.putIfAbsent(key, 'draft#1~1', { approval: { question: 'Good?' } });
  await stores.ledger.putIfAbsent(key, 'judge#1~1', { verdict: { verdict: 'revise', findings: {} } });
  expect(await states(broken(begun('draft'), begun('judge', { kind: 'review' })))).toEqual(['skipped', 'skipped']);
});

test('a command that went along in a chain is found, and nothing is made in a ledger that knows nothing about the run', async () => {
  const log = await stores.ledger.recordLog(key, 'commands');
  for (const id of ['a', 'b']) await log.putIfAbsent(`${id}#1~1`, { output: { values: {} }, startedAtMs: 1, endedAtMs: 2 });
  await log.close();
  const view = broken(begun('a', { kind: 'command' }), stepView('b', { kind: 'command' }), stepView('c', { kind: 'command' }));
  expect(await states(view)).toEqual(['done', 'done', 'pending']);
  rmSync(join(folder, 'ledger'), { recursive: true });
  stores = openRecords({ stateDir: join(folder, 'elsewhere') });
  expect(await states(view)).toEqual(['skipped', 'pending', 'pending']);
});

test('a run that goes on, or has completed, says all there is', async () => {
  await stores.ledger.putIfAbsent(key, 'bull#1~1', {});
  for (const state of ['running', 'completed'] as const) expect(await states(runView([begun('bull')], { state }))).toEqual(['skipped']);
});
