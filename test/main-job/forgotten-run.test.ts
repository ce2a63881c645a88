import { WorkflowNotFoundError } from '@temporalio/client';
import { endedRuns } from '../../cli/session/ended-runs';
import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import type { EndedRuns } from '../../client/ended-runs';
import { findRun } from '../../client/find-run';
import { readJournal } from '../../client/read-journal';
import { readLiveRun } from '../../client/read-live-run';
import { readOutcome } from '../../client/read-outcome';
import { readBoards, readCarry, readPlan } from '../../client/read-run';
import type { RunSummary } from '../../client/run-summary';
import type { RunView } from '../../plan/run/status';
import type { RunKey } from '../../records/ledger';
import { openRecords } from '../../records/open-records';
import type { Records } from '../../records/records';
import { type EndedRun, readEndedRun } from '../../records/runs/ended-run';
import { playToTheEnd, runScripted, type ScriptedRun } from './workshop';

/** What commands read of a run once the server has forgotten it. */
const RUN = 'daily_quant_pipeline-test';
const KEY: RunKey = { workflowId: RUN, run: 'run-1' };
let run: ScriptedRun;
let view: RunView;
let records: Records;
let warnings: string[];
let ended: EndedRuns;
beforeEach(async () => {
  run = await runScripted('daily_quant_pipeline', 'daily-quant');
  records = openRecords({ stateDir: run.stateDir });
  view = await playToTheEnd(run);
  warnings = [];
  ended = endedRuns(records, (line) => warnings.push(line));
});
afterEach(() => run.close());

/** A client whose server answers every question about a run like this. */
function clientOf(answer: () => never, known: EndedRuns | undefined = ended): ThermidorClient {
  const connection = {
    withDeadline: (_limit: number, work: () => unknown) => work(),
    withAbortSignal: (_signal: unknown, work: () => unknown) => work(),
  };
  const handle = { describe: async () => answer(), query: async () => answer(), result: async () => answer() };
  const temporal = { workflow: { getHandle: () => handle, list: async function* () {} } };
  return { temporal, connection, ended: known, taskQueue: 'q', call: (request: () => unknown) => request() } as unknown as ThermidorClient;
}

const forgets = (): never => {
  throw new WorkflowNotFoundError('gone', RUN, undefined);
};
const listed = async (): Promise<RunSummary[]> => {
  const runs: RunSummary[] = [];
  for await (const page of ended.list({})) runs.push(...page);
  return runs;
};
const writeLine = async (change: Partial<EndedRun>, key = KEY): Promise<void> => {
  const line = { ...(await readEndedRun(records.ledger, KEY)), ...change };
  await records.ledger.append(key, 'ended', JSON.parse(JSON.stringify(line)));
};

test.each([
  ['its id', RUN],
  ['the beginning of it', 'daily_quant_pipeline-t'],
  ['its pipeline', 'daily_quant_pipeline'],
  ['nothing', undefined],
])('it is found by %s', async (_, text) => {
  const { startedAt, endedAt } = view;
  expect(await findRun(clientOf(forgets), text)).toMatchObject({
    run: RUN,
    runId: 'run-1',
    state: 'completed',
    startedAt,
    endedAt,
    gates: [],
  });
});

test('it answers as it did: its view, journal, plan, boards, result, and what a rerun from each step carries over', async () => {
  const client = clientOf(forgets);
  expect(await readLiveRun(client, RUN)).toEqual(view);
  expect(await readJournal(client, RUN, records.artifacts)).toEqual(await run.journal());
  const after = (await run.journal()).slice(7);
  expect(await readJournal(client, RUN, records.artifacts, 7)).toEqual(after);
  expect(await readPlan(client, RUN)).toEqual(run.query('plan', {}));
  expect(await readBoards(client, RUN)).toEqual([]);
  const { output, artifacts } = await run.result;
  expect(await readOutcome(client, RUN)).toEqual({ state: 'completed', output, artifacts });
  for (const from of [...view.steps.map(({ id }) => id), 'nowhere']) {
    const query = { from, changed: { 'arg market': ['bull'] }, again: ['bull'] };
    expect(await readCarry(client, RUN, query)).toEqual(run.query('carry', query));
  }
});

test('a run that neither the server nor the store knows is not found, with the hint', async () => {
  for (const [text, known] of [
    ['nosuch', ended],
    [RUN, undefined],
  ] as const) {
    const found = findRun(
      clientOf(
        forgets,
        known === undefined ? { read: async () => undefined, find: async () => undefined, list: async function* () {} } : known,
      ),
      text,
    );
    await expect(found).rejects.toMatchObject({
      code: 'run.not-found',
      message: `there is no run "${text}"`,
      more: { hint: expect.any(String) },
    });
  }
});

test('a server that does not answer is no server that has forgotten', async () => {
  const away = (): never => {
    throw new ClientProblem('server.unreachable', 'down');
  };
  const client = clientOf(away);
  for (const read of [() => findRun(client, RUN), () => readLiveRun(client, RUN), () => readCarry(client, RUN, { from: 'bull' })])
    await expect(read()).rejects.toMatchObject({ code: 'server.unreachable' });
});

test('of two runs that had one id the newer is read, and each has only its own records', async () => {
  const other: RunKey = { workflowId: RUN, run: 'run-1-2' };
  await writeLine(
    { execution: 'x', state: 'cancelled', startedAt: '2100-01-01T00:00:00.000Z', endedAt: '2100-01-02T00:00:00.000Z' },
    other,
  );
  // The content is that of the other run.
  await expect(findRun(clientOf(forgets), RUN)).rejects.toMatchObject({ code: 'run.not-found' });
  expect(warnings.join()).toContain('(run-1-2)');
  const { content: _content, ...line } = (await readEndedRun(records.ledger, KEY))!;
  await records.ledger.append(other, 'ended', {
    ...JSON.parse(JSON.stringify(line)),
    state: 'cancelled',
    startedAt: '2100-01-01T00:00:00.000Z',
    endedAt: '2100-01-02T00:00:00.000Z',
  });
  expect(await readLiveRun(clientOf(forgets), RUN)).toMatchObject({ state: 'cancelled', firstRunId: 'run-1-2', steps: [] });
  await expect(readCarry(clientOf(forgets), RUN, { from: 'bull' })).rejects.toMatchObject({ code: 'run.unreadable' });
});

test('a record that cannot be read counts as absent, and its place is reported', async () => {
  await writeLine({ content: { sha256: '0'.repeat(64), sizeBytes: 1, mediaType: 'application/json' } });
  await expect(findRun(clientOf(forgets), RUN)).rejects.toMatchObject({ code: 'run.not-found' });
  expect(warnings.join()).toContain('0'.repeat(64));
  await records.ledger.append(KEY, 'ended', 'torn');
  await expect(findRun(clientOf(forgets), RUN)).rejects.toMatchObject({ code: 'run.not-found' });
  expect((await listed()).map(({ run: id }) => id)).toEqual([RUN]);
  expect(warnings.at(-1)).toContain(`the record of ${RUN} (run-1) in the ledger cannot be read`);
});
