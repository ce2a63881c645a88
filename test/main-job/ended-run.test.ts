import type { JournalEntry } from '../../plan/run/journal';
import { accountLog, readAccountEntry } from '../../records/accounts/account-log';
import { readCosts } from '../../records/accounts/read-costs';
import { readPaid } from '../../records/accounts/read-paid';
import { COST_GROUPS, type Paid, rowsBy, sumOf } from '../../records/accounts/sum';
import { readJournalPage } from '../../records/journal/journal-pages';
import type { RunKey } from '../../records/ledger';
import { openRecords } from '../../records/open-records';
import type { Records } from '../../records/records';
import { type EndedRun, readEndedRun, storedEndContent } from '../../records/runs/ended-run';
import { playToTheEnd, runScripted, type ScriptedRun } from './workshop';

/** What a run leaves in the store as it ends, for readers that have no server. */
const KEY: RunKey = { workflowId: 'daily_quant_pipeline-test', run: 'run-1' };
let run: ScriptedRun;
let records: Records;
beforeEach(async () => {
  run = await runScripted('daily_quant_pipeline', 'daily-quant');
  records = openRecords({ stateDir: run.stateDir });
});
afterEach(() => run.close());

const ended = async (): Promise<EndedRun> => {
  const found = await readEndedRun(records.ledger, KEY);
  if (found === undefined) throw new Error('there is no record');
  return found;
};
const list = () => records.runs.list();
const cost = async (sinceMs?: number): Promise<Paid[]> => readCosts(records, COST_GROUPS, sinceMs);

test('it is state, times, plan, the view, the result with its artifacts, and the whole journal', async () => {
  const view = await playToTheEnd(run);
  const { startedAt, endedAt, plan } = view;
  const record = await ended();
  expect(record).toMatchObject({
    run: KEY.workflowId,
    execution: 'run-1',
    state: 'completed',
    startedAt,
    endedAt,
    plan,
    owner: view.owner,
  });
  const content = await storedEndContent(records.artifacts, KEY, record);
  expect(content).toMatchObject({ view, result: await run.result });
  const pages = await Promise.all((content?.journal.pages ?? []).map(({ ref }) => readJournalPage(records.artifacts, ref)));
  const journal: JournalEntry[] = [...pages.flat(), ...(content?.journal.entries ?? [])];
  expect(journal).toEqual(await run.journal());
  expect(journal.at(-1)).toMatchObject({ kind: 'run', state: 'completed' });
});

test('its costs are those of the accounts, in every group, until something is added to them', async () => {
  await playToTheEnd(run);
  const paid = await readPaid(records.runs, await list());
  const recorded = await cost();
  expect(recorded.every(({ kind }) => kind === 'sum')).toBe(true);
  expect(paid.length).toBeGreaterThan(recorded.length - 1);
  expect(sumOf(recorded)).toEqual(sumOf(paid));
  for (const group of COST_GROUPS) expect(rowsBy(recorded, group)).toEqual(rowsBy(paid, group));
  const [first, last] = [Date.parse(paid[0]?.at ?? ''), Date.parse(paid.at(-1)?.at ?? '')];
  expect((await cost(first)).every(({ kind }) => kind === 'sum')).toBe(true);
  expect(await cost(last + 1)).toEqual([]);
  expect(sumOf(await cost(first + 1))).toEqual(sumOf(await readPaid(records.runs, await list(), first + 1)));
  // As an agent does that goes on after its run has ended.
  const late = readAccountEntry({ ...paid[0] });
  await records.ledger.append(KEY, accountLog('late#1~1'), JSON.parse(JSON.stringify(late)));
  expect(sumOf(await cost()).replies).toBe(paid.length + 1);
});

test('the last end of a run counts, whichever line comes last', async () => {
  await playToTheEnd(run);
  const first = await ended();
  const again: EndedRun = { ...first, execution: 'after-reset', state: 'failed', endedAt: '2100-01-01T00:00:00.000Z' };
  for (const line of [again, first, first]) await records.ledger.append(KEY, 'ended', JSON.parse(JSON.stringify(line)));
  expect(await ended()).toEqual(again);
});

test.each([
  ['is no object', 'x'],
  ['lacks its end', {}],
  ['is of another run', { run: 'other' }],
  ['has a state in which no run ends', { state: 'running' }],
  ['has a moment that is none', { endedAt: 'yesterday' }],
  ['has a plan of another kind', { plan: { kind: 'carry' } }],
  ['has a content that is no artifact', { content: { sha256: 1 } }],
])('a line that %s is reported with its place', async (_, change) => {
  await playToTheEnd(run);
  const line = typeof change === 'string' || Object.keys(change).length === 0 ? change : { ...(await ended()), ...change };
  await records.ledger.append(KEY, 'ended', JSON.parse(JSON.stringify(line)));
  await expect(ended()).rejects.toThrow(/^the record of daily_quant_pipeline-test \(run-1\) .*log "ended"/);
});

test('content of another run is refused', async () => {
  await playToTheEnd(run);
  const record = await ended();
  const { view, ...rest } = (await storedEndContent(records.artifacts, KEY, record))!;
  for (const other of [{ ...rest, view: { ...view, run: 'other' } }, rest, { view }, null]) {
    const content = await records.artifacts.put(JSON.stringify(other), { mediaType: 'application/json' });
    await expect(storedEndContent(records.artifacts, KEY, { ...record, content })).rejects.toThrow(/not what the run left/);
  }
});
