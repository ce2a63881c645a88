import { agent } from '../../../activities/agent/agent';
import { journal } from '../../../activities/run/journal';
import { spanIdOf, stepSpanId, traceIdOf } from '../../../activities/traces/span-ids';
import type { TraceSpan } from '../../../activities/traces-port';
import type { EndContent } from '../../../plan/run/end-content';
import type { JournalEntry } from '../../../plan/run/journal';
import type { AgentStep } from '../../../plan/steps/step';
import { writeJournalPage } from '../../../records/journal/journal-pages';
import { until } from '../../support/until';
import { fakeAgent, KEY, withAgent, workshop } from '../workshop';

const STEP: AgentStep = { id: 'draft', kind: 'agent', agent: 'bull', output: { name: 'Draft.json' } };
const usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 450 };
const AT = '2026-01-05T07:30:00.000Z';
const running: JournalEntry = { seq: 1, at: AT, kind: 'step', step: 'draft', state: 'running' };
const done: JournalEntry = { seq: 2, at: '2026-01-05T07:30:09.000Z', kind: 'step', step: 'draft', state: 'done' };

async function traced() {
  const spans: TraceSpan[] = [];
  const shop = workshop({
    ...withAgent(fakeAgent(() => [{ role: 'assistant', text: '{"answer": "hunter2"}', usage, model: 'known' }])),
    traces: { add: (added) => void spans.push(...added) },
  });
  await shop.open([STEP]);
  return { shop, spans };
}

const ended = (journal: EndContent['journal']): EndContent => ({
  view: { pipeline: 'demo', runId: 'e', state: 'completed', endedAt: '2026-01-05T07:31:00.000Z' } as EndContent['view'],
  journal,
});

describe('what is sent as spans', () => {
  it('is a page of the journal once it is stored; a doubled page has the same ids', async () => {
    const { shop, spans } = await traced();
    for (let i = 0; i < 2; i++) await journal(shop.toolbox, { key: KEY }, { run: KEY.run, entries: [running, done] });
    await until(() => spans.length === 2);
    expect(spans[0]).toMatchObject({ traceId: traceIdOf(KEY), spanId: stepSpanId(KEY, 'draft'), name: 'draft' });
    expect(spans[0]?.attributes).toMatchObject({ 'thermidor.kind': 'agent', 'thermidor.state': 'done' });
    expect(spans[1]).toEqual(spans[0]);
  });

  it('is as it ends the run, and what began in one page and ended in another, once', async () => {
    const { shop, spans } = await traced();
    await journal(shop.toolbox, { key: KEY }, { run: KEY.run, entries: [running] });
    const ref = await writeJournalPage(shop.toolbox.artifacts, [running]);
    const end = ended({ pages: [{ fromSeq: 1, toSeq: 1, ref }], entries: [done] });
    await journal(shop.toolbox, { key: KEY }, { run: KEY.run, entries: [done], last: true, end });
    await until(() => spans.length > 0);
    expect(spans.map(({ name }) => name)).toEqual(['demo', 'draft']);
    expect(spans[0]).toMatchObject({ spanId: spanIdOf(KEY), attributes: { 'thermidor.state': 'completed' } });
    expect(spans[1]).toMatchObject({ parentId: spanIdOf(KEY), startMs: Date.parse(AT), endMs: Date.parse(done.at) });
  });

  it('is each reply of an agent, within its step, with model, tokens and cost, and nothing that was said', async () => {
    const { shop, spans } = await traced();
    await agent(shop.toolbox, shop.call('draft#1~1'), { run: KEY.run });
    expect(spans).toMatchObject([{ traceId: traceIdOf(KEY), parentId: stepSpanId(KEY, 'draft'), name: 'chat known' }]);
    expect(spans[0]?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.response.model': 'known',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 10,
      'thermidor.cost_microusd': 450,
    });
    expect(JSON.stringify(spans)).not.toContain('hunter2');
    // The reply is recorded: a further attempt asks for none.
    await agent(shop.toolbox, shop.call('draft#1~1', { attempt: 2 }), { run: KEY.run });
    expect(spans).toHaveLength(1);
  });

  it('fails and delays nothing, whatever becomes of it', async () => {
    const { shop, spans } = await traced();
    const pages: string[] = [];
    shop.toolbox.log = (_level, text) => void pages.push(text);
    const end = ended({
      pages: [{ fromSeq: 1, toSeq: 1, ref: { sha256: 'f'.repeat(64), sizeBytes: 1, mediaType: '', name: '' } }],
      entries: [],
    });
    await expect(journal(shop.toolbox, { key: KEY }, { run: KEY.run, entries: [done], last: true, end })).resolves.toBeNull();
    await until(() => pages.includes('spans of a run could not be made'));
    expect(spans).toEqual([]);
  });
});
