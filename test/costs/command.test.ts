import { Options } from '../../cli/command';
import { execute as cost } from '../../cli/commands/cost';
import { EXIT } from '../../cli/exit';
import { runCommandLine } from '../../cli/program';
import { accountLog, type PaidEntry } from '../../records/accounts/account-log';
import { LedgerFiles } from '../../records/directory/ledger-files';
import { scratchFolder } from '../activities/workshop';
import { fakeTerminal } from '../cli/fake-terminal';

/** Tests `thermidor cost` on a ledger of two runs, one with a child and one from an earlier year, and of a script's own figures. */
const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 2, cacheWriteTokens: 1, costMicroUsd: 1_500_000 };
const paid = (more: Partial<PaidEntry>): PaidEntry => ({
  ...{ kind: 'paid', at: new Date().toISOString(), run: 'daily-20261120-aaaaaa', pipeline: 'daily', step: 'draft', call: 'draft#1~1' },
  ...{ agent: 'writer', adapter: 'anthropic', model: 'opus', usage: USAGE },
  ...more,
});
const ENTRIES: readonly PaidEntry[] = [
  paid({}),
  paid({ step: 'judge', call: 'judge#1~1', agent: 'editor', model: 'haiku', usage: { ...USAGE, costMicroUsd: 250_000 } }),
  paid({ run: 'daily-20261120-aaaaaa.child', parent: 'daily-20261120-aaaaaa', pipeline: 'below', usage: { ...USAGE, costMicroUsd: null } }),
  paid({ run: 'old-20250101-bbbbbb', pipeline: 'old', at: '2025-01-01T00:00:00.000Z', usage: { ...USAGE, costMicroUsd: 4_000_000 } }),
  paid({ step: 'say', call: 'say#1~1', agent: 'player', adapter: 'scripted' }),
];
let state = '';

beforeAll(async () => {
  state = scratchFolder();
  const ledger = new LedgerFiles(state);
  for (const { parent, ...entry } of ENTRIES) {
    const key = { workflowId: entry.run, run: 'first' };
    await ledger.append(key, accountLog(entry.call), JSON.parse(JSON.stringify(entry)));
    const record = { plan: { sha256: '0', sizeBytes: 1, mediaType: 'x' }, args: {}, startedAt: entry.at };
    await ledger.putIfAbsent(key, 'run', parent === undefined ? record : { ...record, parent });
  }
});

async function call(args: string[], options: Record<string, unknown> = {}) {
  const terminal = fakeTerminal({ cwd: state, env: { THERMIDOR_STATE_DIR: state } });
  const exit = await cost({ args, options: new Options(options), terminal, catalogue: { commands: [], nouns: {} } });
  return { exit, ...terminal.written };
}

async function told(args: string[], options: Record<string, unknown> = {}) {
  const { exit, out } = await call(args, { ...options, json: true });
  expect(exit).toBe(EXIT.done);
  return JSON.parse(out);
}

const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

test('of all runs it tells by pipeline, agent and model, the dearest first, and unknown cost apart', async () => {
  const { total, by, scripted } = await told([]);
  expect(total).toMatchObject({ replies: 4, costMicroUsd: 5_750_000, unknownReplies: 1, unknownModels: ['opus'] });
  expect(Object.keys(by)).toEqual(['pipeline', 'agent', 'model']);
  expect([names(by.pipeline), names(by.agent), names(by.model)]).toEqual([
    ['old', 'daily', 'below'],
    ['writer', 'editor'],
    ['opus', 'haiku'],
  ]);
  expect(scripted).toBe(1);
});

test.each(['pipeline', 'agent', 'model', 'step', 'run'])('by %s alone it tells that, and the sum stays the same', async (group) => {
  const { total, by } = await told([], { by: group });
  expect(Object.keys(by)).toEqual([group]);
  const sum = by[group].reduce((so: number, { costMicroUsd }: { costMicroUsd: number }) => so + costMicroUsd, 0);
  expect(sum).toBe(total.costMicroUsd);
});

test('of one run it tells its children’s too, by run', async () => {
  const { run, total, by } = await told(['aaaaaa']);
  expect([run, total.replies]).toEqual(['daily-20261120-aaaaaa', 3]);
  expect(names(by.run)).toEqual(['daily-20261120-aaaaaa', 'daily-20261120-aaaaaa.child']);
  expect((await told(['old'])).by).not.toHaveProperty('run');
});

test('since a time ago, a day or a moment, only what is younger counts', async () => {
  for (const since of ['2d', '2025-06-01', '2025-01-01T00:00:01Z']) {
    const { total, since: from } = await told([], { since });
    expect([total.replies, Number.isNaN(Date.parse(from))]).toEqual([3, false]);
  }
  expect((await told([], { since: '2024-12-31' })).total.replies).toBe(4);
});

test.each(['7', 'yesterday', '-2d', '2026-13-01', '12/31/2025', ''])('a text that is not a time is exit 2: %j', async (since) => {
  await expect(call([], { since })).rejects.toMatchObject({ exit: EXIT.usage, code: 'usage', more: { hint: expect.any(String) } });
});

test('an unknown group is exit 2, with the known ones', async () => {
  const terminal = fakeTerminal({ cwd: state });
  expect(await runCommandLine(['cost', '--by', 'colour'], terminal, '0')).toBe(EXIT.usage);
  expect(terminal.written.err).toContain('pipeline, agent, model');
});

test('a run that is not in the ledger, and one that could be several, are reported', async () => {
  await expect(call(['nobody'])).rejects.toMatchObject({ exit: EXIT.failed, code: 'run.not-found' });
  const child = await told(['daily-20261120-aaaaaa.child']);
  expect([child.run, child.total.costMicroUsd, child.total.unknownReplies]).toEqual(['daily-20261120-aaaaaa.child', 0, 1]);
});

test('replies of scripts count only if that is asked for', async () => {
  expect((await told([], { scripted: true })).total.replies).toBe(5);
  const { out, err } = await call(['aaaaaa']);
  expect(out).toContain('$1.7500 + unknown');
  expect(err).toMatch(/: thermidor cost .*--scripted\n/);
});

test('in a state folder that was never used nothing was paid', async () => {
  state = scratchFolder();
  expect(await told([])).toMatchObject({ total: { replies: 0, costMicroUsd: 0 }, scripted: 0 });
});
