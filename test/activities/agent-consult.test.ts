import type { Json } from '../../plan/text/json';
import { calls, LEAD, report, type ShopOptions, scriptedShop, text, tokens } from './scripted-shop';

/** The tool `consult`: an agent at work asks a specialist, and keeps its work. */
const lead = { consultants: { price: 'bull' } };
const consult = (more: object = {}): [string, Json] => ['consult', { topic: 'price', question: 'Up?', ...more }];
const advice = (confidence: number, more: object = {}): { reply: { kind: 'text'; text: string } } => ({
  reply: { kind: 'text', text: JSON.stringify({ recommendation: 'hold', rationale: 'the trend', confidence, ...more }) },
});
const shopWith = (asked: [string, Json][], bull: ShopOptions['replies'][string], more: Partial<ShopOptions> = {}) =>
  scriptedShop({ lead, ...more, replies: { lead: [text('done', calls(...asked))], 'lead>bull': bull } });
const signals = (journal: readonly { kind: string }[] = []) => journal.filter(({ kind }) => kind === 'pattern');

describe('consult', () => {
  test('brings advice that is sure, and its signals are in the journal, in order', async () => {
    const shop = await shopWith([consult({ options: ['hold', 'sell'], context: { a: 1 } })], [advice(0.9, { caveats: ['news'] })]);
    const { journal } = await shop.perform();
    const [said] = await shop.answers();
    expect(JSON.parse(said ?? '')).toEqual({
      ...{ status: 'advised', recommendation: 'hold', rationale: 'the trend', confidence: 0.9, caveats: ['news'], option: 'hold' },
    });
    expect(shop.requests[1]?.prompt).toContain('"question": "Up?"');
    expect(journal).toMatchObject([
      { kind: 'envelope', envelope: { intent: 'collect_opinion' } },
      { kind: 'pattern', type: 'consult_request', from: 'lead', to: 'bull', data: { topic: 'price', question: 'Up?', urgency: 'normal' } },
      { kind: 'envelope', envelope: { intent: 'deliver_report' } },
      { kind: 'pattern', type: 'consult_response', from: 'bull', to: 'lead', data: { recommendation: 'hold', confidence: 0.9 } },
    ]);
    const times = (journal ?? []).map(({ at = '' }) => at);
    expect(times).toEqual([...new Set(times)].sort());
  });

  test('takes one follow-up, and no third question', async () => {
    const shop = await shopWith(
      [consult(), consult({ question: 'Sure?' }), consult({ question: 'Really?' })],
      [advice(0.5, { ask: 1 }), advice(0.6, { ask: 2 })].map((reply, i) => ({ ...reply, ask: i + 1 })),
    );
    const { journal } = await shop.perform();
    const [first, second, third] = await shop.answers();
    expect(JSON.parse(first ?? '')).toMatchObject({
      status: 'unverified',
      marked: 'UNVERIFIED',
      hint: expect.stringContaining('follow-up'),
    });
    expect(JSON.parse(second ?? '')).toMatchObject({ status: 'unverified', hint: expect.not.stringContaining('follow-up') });
    expect(third).toMatch(/2 times/);
    expect(journal?.filter(({ kind }) => kind === 'tool')).toMatchObject([{ tool: 'consult', outcome: 'refused' }]);
  });

  test.each<[string, number]>([
    ['blocking', 120_000],
    ['normal', 300_000],
  ])('waits as long as it is urgent (%s), and then the agent goes by its own judgement', async (urgency, ms) => {
    const toolbox: ShopOptions['toolbox'] = {
      timer: (wait, ring) => {
        if (wait === ms) setImmediate(ring);
        return () => undefined;
      },
    };
    const shop = await shopWith([consult({ urgency })], [{ reply: { kind: 'hang' } }], { toolbox });
    const { artifact, journal } = await shop.perform();
    expect(artifact).toBeDefined();
    const [said] = await shop.answers();
    expect(JSON.parse(said ?? '')).toMatchObject({
      status: 'unverified',
      marked: 'UNVERIFIED',
      reason: expect.stringContaining('did not answer'),
    });
    expect(signals(journal)).toMatchObject([
      { type: 'consult_request' },
      { type: 'consult_response', refused: expect.any(String), data: {} },
    ]);
  });

  test('a consultant who fails leaves the agent to its own judgement', async () => {
    const shop = await shopWith([consult()], [{ reply: { kind: 'fail', code: 'model.refused', message: 'no' } }]);
    await shop.perform();
    const [said] = await shop.answers();
    expect(JSON.parse(said ?? '')).toMatchObject({ status: 'unverified', reason: expect.stringContaining('model.refused') });
  });

  test('advice of another shape is asked for once more', async () => {
    const shop = await shopWith(
      [consult()],
      [
        { ...advice(7), ask: 1 },
        { ...advice(0.8), ask: 2 },
      ],
    );
    await shop.perform();
    const [said] = await shop.answers();
    expect(JSON.parse(said ?? '')).toMatchObject({ status: 'advised', confidence: 0.8 });
  });

  test('refuses a topic that nobody is for', async () => {
    const shop = await shopWith([consult({ topic: 'toString' })], []);
    const { journal } = await shop.perform();
    expect(await shop.answers()).toEqual(['nobody advises you on "toString"; there are: price']);
    expect(journal).toMatchObject([{ tool: 'consult', outcome: 'refused' }]);
  });

  test('is there for agents with consultants alone, children among them, and not for those who are asked', async () => {
    const names = (shop: Awaited<ReturnType<typeof scriptedShop>>, nth = 0) => shop.requests[nth]?.tools?.specs.map(({ name }) => name);
    const shop = await shopWith([consult()], [advice(0.9)]);
    await shop.perform();
    expect(names(shop)).toContain('consult');
    expect(names(shop, 1)).not.toContain('consult');
    const without = await scriptedShop({ replies: { lead: [text('done')] } });
    await without.perform();
    expect(names(without)).not.toContain('consult');
    const id = `${LEAD}/spawn-1`;
    const child = await scriptedShop({ lead, replies: { 'lead>lead': [report('done')] } });
    await child.perform({ spawn: { id, agent: 'lead', task: 'look', depth: 1 } }, id);
    expect(names(child)).toContain('consult');
  });

  test('is charged to the try of the agent that asks, from its start if it goes on', async () => {
    const shop = await scriptedShop({
      lead,
      replies: { lead: [text('done', { usage: tokens(10), ...calls(consult()) })], 'lead>bull': [{ ...advice(0.9), usage: tokens(30) }] },
    });
    expect((await shop.perform({ budget: { tokens: 29 } })).paused).toMatchObject({ short: { kind: 'tokens', needed: 30 } });
    expect(await shop.perform({ budget: { tokens: 39 } })).toMatchObject({
      usage: { inputTokens: 30 },
      paused: { short: { kind: 'tokens', needed: 40 } },
    });
    const { journal } = await shop.perform({ budget: { tokens: 40 } });
    expect(shop.given).toEqual([expect.stringContaining('hold'), 'done']);
    expect(signals(journal)).toHaveLength(2);
  });
});
