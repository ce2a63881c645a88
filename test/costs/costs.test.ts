import { createColors } from 'picocolors';
import { findInLedger, findRunOfFolder } from '../../cli/costs/find-run';
import { renderTotal } from '../../cli/rendering/cost';
import { UNREPORTED_USAGE } from '../../plan/budgets/usage';
import { accountLog, type PaidEntry } from '../../records/accounts/account-log';
import { readPaid } from '../../records/accounts/read-paid';
import { rowsBy, sumOf } from '../../records/accounts/sum';
import { LedgerFiles } from '../../records/directory/ledger-files';
import { openRecords } from '../../records/open-records';
import { childrenOf } from '../../records/runs/list-runs';
import { scratchFolder } from '../activities/workshop';

const paid = (more: Partial<PaidEntry> = {}): PaidEntry => ({
  ...{ kind: 'paid', at: '2026-11-20T10:00:00.000Z', run: 'p-20261120-aaaaaa', pipeline: 'p', step: 'draft', call: 'draft#1~1' },
  ...{ agent: 'w', adapter: 'anthropic', model: 'm' },
  usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 2, cacheWriteTokens: 1, costMicroUsd: 100 },
  ...more,
});
const unknown = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };

const paidIn = async (root: string, sinceMs?: number): Promise<PaidEntry[]> => {
  const { runs } = openRecords({ stateDir: root });
  return await readPaid(runs, await runs.list(), sinceMs);
};

describe('a sum', () => {
  it('tells unknown cost next to what is known, and the models it is of', () => {
    expect(sumOf([paid(), paid({ usage: unknown, model: 'llama' }), paid({ usage: unknown, model: 'llama' })])).toEqual({
      ...{ replies: 3, inputTokens: 12, outputTokens: 7, cacheReadTokens: 2, cacheWriteTokens: 1 },
      ...{ costMicroUsd: 100, unknownReplies: 2, unreportedReplies: 0, unknownModels: ['llama'] },
      ...{ unanswered: 0, unansweredAtMostMicroUsd: 0, unansweredAtMostTokens: 0 },
    });
  });

  it.each([
    ['is not there', UNREPORTED_USAGE],
    ['is in part or absurd', { ...unknown, inPart: true as const }],
  ])('does not blame the price of a model whose usage %s', (_what, usage) => {
    const sum = sumOf([paid({ usage, model: 'llama' })]);
    expect(sum).toMatchObject({ unknownReplies: 1, unreportedReplies: 1, unknownModels: [] });
    const text = renderTotal('r', sum, createColors(false));
    expect(text).toContain('usage was reported not at all');
    expect(text).not.toContain('prices:');
  });

  it('tells the tokens of requests that were never answered if no dollars were reserved', () => {
    const sum = sumOf([paid({ usage: { ...UNREPORTED_USAGE, atMostTokens: 23_400 }, unanswered: true })]);
    expect(renderTotal('r', sum, createColors(false))).toContain('1 request was never answered, and may have used up to 23.4k tokens.');
  });

  it('tells requests that were never answered apart from replies, with the most that they can have cost', () => {
    const lost = paid({ usage: { ...UNREPORTED_USAGE, atMostMicroUsd: 12_300 }, unanswered: true });
    const sum = sumOf([paid(), lost, lost]);
    expect(sum).toMatchObject({ replies: 1, costMicroUsd: 100, unknownReplies: 0, unanswered: 2, unansweredAtMostMicroUsd: 24_600 });
    expect(renderTotal('r', sum, createColors(false))).toMatch(
      /\$0\.0001 \+ unknown .*1 reply,.*\n2 requests were never answered.*\$0\.0246/,
    );
    // A run whose requests were all unanswered has a cost as well.
    expect(renderTotal('r', sumOf([lost]), createColors(false))).toMatch(/^r {2}unknown /);
  });

  it('of a group has the dearest first', () => {
    const rows = rowsBy([paid(), paid({ agent: 'r' }), paid({ agent: 'r' }), paid({ agent: 'x', usage: unknown })], 'agent');
    expect(rows.map(({ name, costMicroUsd }) => [name, costMicroUsd])).toEqual([
      ['r', 200],
      ['w', 100],
      ['x', 0],
    ]);
  });

  it('by model has a row for replies whose model nobody knows', () => {
    const { model: _none, ...anonymous } = paid();
    expect(rowsBy([anonymous], 'model')).toMatchObject([{ name: '', replies: 1 }]);
  });
});

describe('accounts in a ledger', () => {
  const deep = `${Array.from({ length: 30 }, (_, i) => `outer-${i}[3]`).join('/')}/draft#1~1`;

  async function ledgerWith(...entries: PaidEntry[]): Promise<string> {
    const root = scratchFolder();
    const ledger = new LedgerFiles(root);
    for (const entry of entries) {
      const { kind, at, run, pipeline, step, call, agent, adapter, usage } = entry;
      const key = { workflowId: run, run: 'first' };
      const line = {
        kind,
        at,
        run,
        pipeline,
        step,
        call,
        agent,
        adapter,
        usage: { ...usage },
        ...(entry.model ? { model: entry.model } : {}),
      };
      await ledger.append(key, accountLog(call), line);
      const record = { plan: { sha256: '0', sizeBytes: 1, mediaType: 'x' }, args: {}, startedAt: at };
      await ledger.putIfAbsent(key, 'run', entry.parent === undefined ? record : { ...record, parent: entry.parent });
    }
    return root;
  }

  it('are read whatever call they are of, one whose log has a shortened name too', async () => {
    const root = await ledgerWith(paid(), paid({ call: deep }), paid({ call: 'draft#1~1/critic/spawn-1' }), paid({ run: 'Q-2' }));
    const found = await paidIn(root);
    expect(found.map(({ call }) => call).sort()).toEqual([deep, 'draft#1~1', 'draft#1~1', 'draft#1~1/critic/spawn-1'].sort());
  });

  it('have the cost that was reported at the end of a call for its earlier replies', async () => {
    const unsaid = { ...paid().usage, costMicroUsd: null };
    const told = paid({ usage: { ...paid().usage, costMicroUsd: 900, settles: 2 } });
    const root = await ledgerWith(paid({ usage: unsaid }), paid({ usage: unsaid }), paid({ usage: unsaid }), told);
    const found = await paidIn(root);
    expect(found.map(({ usage }) => usage.costMicroUsd)).toEqual([null, 0, 0, 900]);
  });

  it('are read from a moment on', async () => {
    const root = await ledgerWith(paid({ at: '2026-11-01T00:00:00.000Z' }), paid());
    expect(await paidIn(root, Date.parse('2026-11-10T00:00:00Z'))).toEqual([paid()]);
  });

  it('pass over a failure, a torn line and a line of a version to come', async () => {
    const root = await ledgerWith(paid());
    const ledger = new LedgerFiles(root);
    const key = { workflowId: paid().run, run: 'first' };
    await ledger.append(key, accountLog('draft#1~1'), {
      kind: 'failed',
      at: paid().at,
      call: 'draft#1~1',
      code: 'model.overloaded',
      message: 'x',
    });
    await ledger.append(key, accountLog('draft#1~1'), { kind: 'lent', at: paid().at, call: 'draft#1~1' });
    expect(await paidIn(root)).toHaveLength(1);
  });

  it('are none in a state folder that was never used', async () => {
    expect(await openRecords({ stateDir: scratchFolder() }).runs.list()).toEqual([]);
  });

  it('of a run have those of its children next to them, and not those of a run that is only named like one', async () => {
    const parent = paid();
    const child = paid({ run: `${parent.run}.sub`, parent: parent.run });
    const root = await ledgerWith(
      parent,
      child,
      paid({ run: `${child.run}.deeper`, parent: child.run }),
      paid({ run: `${parent.run}.mine` }),
    );
    const children = await childrenOf(openRecords({ stateDir: root }), parent.run);
    expect(children.map(({ workflowId }) => workflowId).sort()).toEqual([child.run, `${child.run}.deeper`]);
  });
});

describe('a run in the ledger', () => {
  const run = (workflowId: string) => ({ workflowId, run: 'first', place: '' });
  const runs = ['daily-20261120-abcdef', 'daily-20261120-abcdef.child', 'daily-20261121-ghjkmn', 'other'].map(run);

  it.each([
    ['daily-20261120-abcdef', 'its whole id'],
    ['daily-20261120', 'its beginning, its children left aside'],
    ['abcdef', 'its last six characters'],
  ])('is found by %s: %s', (given) => {
    expect(findInLedger(runs, given)).toBe('daily-20261120-abcdef');
  });

  it('is found by its pipeline’s name, which means the newest, whatever its id; not by that of a child', async () => {
    const root = scratchFolder();
    const ledger = new LedgerFiles(root);
    const open = async (workflowId: string, startedAt: string, more: object = {}) => {
      const plan = { kind: 'plan', sha256: 'a'.repeat(64), sizeBytes: 1, mediaType: 'application/json', name: 'daily.plan.json' };
      await ledger.putIfAbsent({ workflowId, run: 'first' }, 'run', { plan, args: {}, startedAt, ...more });
    };
    await open('daily-20261120-abcdef', '2026-11-20T10:00:00Z');
    await open('by-hand', '2026-11-22T10:00:00Z');
    await open('by-hand.kid', '2026-11-23T10:00:00Z', { parent: 'by-hand' });
    const all = await openRecords({ stateDir: root }).runs.list();
    await expect(findRunOfFolder(ledger, all, 'daily')).resolves.toBe('by-hand');
    await expect(findRunOfFolder(ledger, all, 'abcdef')).resolves.toBe('daily-20261120-abcdef');
    await expect(findRunOfFolder(ledger, all, 'by-hand.kid')).resolves.toBe('by-hand.kid');
  });

  it('is not taken for another', () => {
    expect(() => findInLedger(runs, 'daily')).toThrow(expect.objectContaining({ code: 'run.ambiguous', exit: 2 }));
    expect(() => findInLedger(runs, 'nobody')).toThrow(expect.objectContaining({ code: 'run.not-found' }));
  });
});
