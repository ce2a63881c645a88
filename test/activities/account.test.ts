import { agent } from '../../activities/agent/agent';
import type { Usage } from '../../plan/budgets/usage';
import { ThermidorFailure } from '../../plan/run/failure';
import type { AgentStep } from '../../plan/steps/step';
import { accountLog } from '../../records/accounts/account-log';
import { readRecordedCall } from '../../records/transcripts/recorded-call';
import type { Turn } from '../../records/transcripts/turn';
import { stop } from './stopping-point';
import { aroundLines, codeOf, fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

const usage: Usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };
const STEP: AgentStep = { id: 'draft', kind: 'agent', agent: 'bull', repair: 1, output: { name: 'Draft.json' } };
const PRICES = { models: { known: { input: 3, output: 15 } } };

const accountOf = (shop: Workshop, id: string) => shop.ledger.lines(KEY, accountLog(id));
const said = (text: string, more: Partial<Turn> = {}): Turn[] => [{ role: 'assistant', text, usage, model: 'known-20260101', ...more }];

describe('the account of a call', () => {
  it('has a line for each reply that was paid for, those of a repair too, priced by the model that answered', async () => {
    const shop = workshop({ ...withAgent(fakeAgent(({ ask }) => said(ask === 1 ? 'no JSON' : '{}'))), prices: PRICES });
    await shop.open([STEP]);
    await agent(shop.toolbox, shop.call('draft#1~1'), { run: KEY.run });
    const line = { kind: 'paid', run: KEY.workflowId, pipeline: 'demo', step: 'draft', call: 'draft#1~1', agent: 'bull', adapter: 'fake' };
    const paid = { ...line, model: 'known-20260101', usage: { ...usage, costMicroUsd: 450 } };
    expect(await accountOf(shop, 'draft#1~1')).toMatchObject([paid, paid]);
  });

  it.each([
    ['/transcript', 'before the reply is recorded: it is asked for again, and nobody knows of the first'],
    ['/account', 'before it is in the account: it is added, and not asked for again'],
  ])('has one line a recorded reply where a crash came at the %s, %s', async (which) => {
    const bull = fakeAgent(() => said('{}'));
    const shop = workshop(withAgent(bull));
    await shop.open([STEP]);
    let crashes = 1;
    shop.toolbox.ledger = aroundLines(shop.ledger, async (line, write, log) => {
      if (log.endsWith(which) && JSON.stringify(line).includes('costMicroUsd') && crashes-- > 0) throw new Error('killed');
      await write();
    });
    await expect(agent(shop.toolbox, shop.call('draft#1~1'), { run: KEY.run })).rejects.toThrow('killed');
    await agent(shop.toolbox, shop.call('draft#1~1', { attempt: 2 }), { run: KEY.run });
    expect(await accountOf(shop, 'draft#1~1')).toMatchObject([{ kind: 'paid' }]);
    expect(bull.requests).toHaveLength(which === '/account' ? 1 : 2);
  });

  it('has a line of unknown cost for a reply of which the service does not say what it used', async () => {
    const shop = workshop({ ...withAgent(fakeAgent(() => [{ role: 'assistant', text: '{}', model: 'known' }])), prices: PRICES });
    await shop.open([STEP]);
    await agent(shop.toolbox, shop.call('draft#1~1'), { run: KEY.run });
    expect(await accountOf(shop, 'draft#1~1')).toMatchObject([{ kind: 'paid', model: 'known', usage: { costMicroUsd: null } }]);
  });

  it('says what a call failed with', async () => {
    const failing = fakeAgent(() => Promise.reject(new ThermidorFailure('model.refused', 'no')));
    const shop = workshop(withAgent(failing));
    await shop.open([STEP]);
    expect(await codeOf(agent(shop.toolbox, shop.call('draft#1~1'), { run: KEY.run }))).toBe('model.refused');
    expect(await accountOf(shop, 'draft#1~1')).toMatchObject([{ kind: 'failed', call: 'draft#1~1', code: 'model.refused', message: 'no' }]);
    expect((await readRecordedCall(shop.ledger, KEY, 'draft#1~1')).failed?.code).toBe('model.refused');
  });

  it('says nothing about a call that another worker takes over', async () => {
    const off = new AbortController();
    const failing = fakeAgent(() => {
      off.abort(new ThermidorFailure('worker.lost', 'handed over'));
      return [];
    });
    const shop = workshop(withAgent(failing));
    await shop.open([STEP]);
    const call = shop.call('draft#1~1', { signal: off.signal });
    expect(await codeOf(agent(shop.toolbox, call, { run: KEY.run }))).toBe('worker.lost');
    expect(await accountOf(shop, 'draft#1~1')).toEqual([]);
    expect((await readRecordedCall(shop.ledger, KEY, 'draft#1~1')).failed).toBeUndefined();
  });

  it('has one line a reply if a worker was stopped before it wrote one, and another has written it', async () => {
    const at = stop();
    const shop = workshop(withAgent(fakeAgent(() => said('{}'))));
    await shop.open([STEP]);
    let stops = 1;
    const ledger = aroundLines(shop.ledger, async (line, write, log) => {
      if (log.endsWith('/account') && JSON.stringify(line).includes('costMicroUsd') && stops-- > 0) await at.here();
      await write();
    });
    const first = agent({ ...shop.toolbox, ledger }, shop.call('draft#1~1', { scheduledAtMs: 1 }), { run: KEY.run });
    await at.reached;
    await agent(shop.toolbox, shop.call('draft#1~1', { attempt: 2, scheduledAtMs: 2 }), { run: KEY.run });
    at.goOn();
    expect(await codeOf(first)).toBe('worker.lost');
    expect(await accountOf(shop, 'draft#1~1')).toMatchObject([{ kind: 'paid' }]);
  });

  it('has no failure of a worker that was stopped while another did the work', async () => {
    const at = stop();
    let asked = 0;
    const bull = fakeAgent(async () => {
      asked += 1;
      if (asked > 1) return '{}';
      await at.here();
      throw new ThermidorFailure('model.api-error', 'the connection is gone');
    });
    const shop = workshop(withAgent(bull));
    await shop.open([STEP]);
    const first = agent(shop.toolbox, shop.call('draft#1~1', { scheduledAtMs: 1 }), { run: KEY.run });
    await at.reached;
    await agent(shop.toolbox, shop.call('draft#1~1', { attempt: 2, scheduledAtMs: 2 }), { run: KEY.run });
    at.goOn();
    expect(await codeOf(first)).toBe('model.api-error');
    expect((await readRecordedCall(shop.ledger, KEY, 'draft#1~1')).failed).toBeUndefined();
  });

  it('is not added to by a call whose result is recorded', async () => {
    const shop = workshop(withAgent(fakeAgent(() => said('{}'))));
    await shop.open([STEP]);
    for (const attempt of [1, 2]) await agent(shop.toolbox, shop.call('draft#1~1', { attempt }), { run: KEY.run });
    expect(await accountOf(shop, 'draft#1~1')).toHaveLength(1);
  });

  it('is counted in the worker’s metrics, unless a script says it', async () => {
    const counted: unknown[] = [];
    const metrics = {
      replied: (reply: object) => void counted.push(reply),
      called: () => undefined,
      tried: (end: object) => void counted.push(end),
      waited: () => undefined,
      traced: () => undefined,
    };
    const shop = workshop({ ...withAgent(fakeAgent(() => said('{}'))), metrics });
    await shop.open([STEP]);
    await agent(shop.toolbox, shop.call('draft#1~1'), { run: KEY.run });
    expect(counted).toMatchObject([
      { pipeline: 'demo', agent: 'bull', model: 'known-20260101' },
      { pipeline: 'demo', agent: 'bull', outcome: 'done' },
    ]);
    counted.length = 0;
    const scripted = workshop({ metrics });
    await scripted.open([STEP], {}, { name: 's', people: [], replies: { draft: [{ reply: { kind: 'json', value: {} }, usage }] } });
    await agent(scripted.toolbox, scripted.call('draft#1~1'), { run: KEY.run });
    expect(counted).toMatchObject([{ outcome: 'done' }]);
    expect(await accountOf(scripted, 'draft#1~1')).toMatchObject([{ adapter: 'scripted' }]);
  });
});
