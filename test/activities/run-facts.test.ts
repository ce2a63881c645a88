import { agent } from '../../activities/agent/agent';
import { type RunFacts, renderFacts } from '../../activities/agent/prompt/run-facts';
import type { CronTrigger } from '../../plan/plan';
import type { Step } from '../../plan/steps/step';
import { calls, report, scriptedShop, text } from './scripted-shop';
import { fakeAgent, KEY, withAgent, workshop } from './workshop';

const BERLIN: CronTrigger = { kind: 'cron', expressions: ['30 7 * * 1-5'], timezone: 'Europe/Berlin', overlap: 'skip', catchupMs: 0 };
const STEPS: Step[] = [
  { id: 'intel', kind: 'agent', agent: 'scout', description: 'What happened in the last 24 hours.' },
  { id: 'thesis', kind: 'agent', agent: 'lead', inputs: ['intel'] },
  { id: 'publish', kind: 'notify', channel: '#desk', message: [], inputs: ['thesis', 'intel'] },
];

function facts(more: Partial<RunFacts> = {}, plan: Partial<RunFacts['plan']> = {}): string {
  return renderFacts({
    plan: { name: 'daily', trigger: { kind: 'manual' }, ...plan },
    args: {},
    at: '2026-11-23T06:30:00.000Z',
    steps: new Map(STEPS.map((step) => [step.id, step])),
    stepId: 'intel',
    ...more,
  });
}

describe('the facts of a run in every agent’s prompt', () => {
  it('names the pipeline, the day, the context, the step and who reads its output', () => {
    expect(facts({}, { description: 'One thesis a day.', context: { market: 'BTC/USDT', limits: { size: 8 } } })).toBe(
      [
        '# Run',
        '',
        'Pipeline: daily. One thesis a day.',
        'Date: 2026-11-23, Monday, 06:30 (UTC)',
        'market: BTC/USDT',
        'limits: {"size":8}',
        'Step: intel. What happened in the last 24 hours.',
        'Its output goes to: thesis (lead), publish',
      ].join('\n'),
    );
  });

  it('has the day of the trigger’s time zone, which may differ from that of UTC', () => {
    expect(facts({ at: '2026-11-23T23:30:00.000Z' }, { trigger: BERLIN })).toContain('Date: 2026-11-24, Tuesday, 00:30 (Europe/Berlin)');
  });

  it('has the time zone of the settings if nothing triggers the pipeline', () => {
    expect(facts({}, { timezone: 'Asia/Taipei' })).toContain('Date: 2026-11-23, Monday, 14:30 (Asia/Taipei)');
  });

  it('puts an arg before the value of the same name, and shows no other arg', () => {
    const told = facts({ args: { market: 'ETH/USDT', token: 'secret://env/TOKEN' } }, { context: { market: 'BTC/USDT' } });
    expect(told).toContain('market: ETH/USDT');
    expect(told).not.toMatch(/token|secret/i);
  });
});

describe('the day of a run', () => {
  it.each([
    ['when a schedule had it start, however late it began', { scheduledAt: '2026-11-20T07:30:00.000Z' }, '2026-11-20, Friday, 07:30'],
    ['else when it started', {}, '2026-11-23, Monday, 09:00'],
  ])('is %s', async (_, opening, day) => {
    const adapter = fakeAgent(() => [{ role: 'assistant', text: 'done' }]);
    const shop = workshop(withAgent(adapter));
    const definition = await shop.blob({ id: 'bull', role: 'You make the bull case.' });
    await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } }, undefined, undefined, {
      startedAt: '2026-11-23T09:00:00.000Z',
      ...opening,
    });
    await agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run });
    expect(adapter.requests[0]?.prompt).toContain(day);
  });
});

test('a member of a standing team has the day on which its work begins', async () => {
  const adapter = fakeAgent(() => [{ role: 'assistant', text: 'done' }]);
  const shop = workshop(withAgent(adapter));
  const definition = await shop.blob({ id: 'bull', role: 'You make the bull case.' });
  const startedAt = '2026-11-23T09:00:00.000Z';
  await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } }, undefined, undefined, {
    startedAt,
  });
  const member = { name: 'alice', inbox: 'team/work-1/inbox', team: 'core', context: [], maxTurns: 50, others: [] };
  await agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run, member: { ...member, begunAt: '2026-12-24T18:30:00.000Z' } });
  await agent(shop.toolbox, shop.call('bull#2~1'), { run: KEY.run, member });
  expect(adapter.requests[0]?.prompt).toContain('Date: 2026-12-24, Thursday, 18:30');
  expect(adapter.requests[1]?.prompt).toContain('Date: 2026-11-23, Monday, 09:00');
});

test('an agent that is asked gets the same facts as the one that asks', async () => {
  const shop = await scriptedShop({
    plan: { context: { market: 'BTC/USDT' } },
    replies: {
      lead: [text('done', calls(['sessions_send', { agent: 'bull', message: 'How is it?', timeoutSeconds: 30 }]))],
      'lead>bull': [report('Rising.')],
    },
  });
  await shop.perform();
  expect(shop.requests.map(({ agent: { id } }) => id)).toEqual(['lead', 'bull']);
  for (const { prompt } of shop.requests) expect(prompt).toMatch(/^# Run\n\nPipeline: .*\nDate: .*\nmarket: BTC\/USDT\nStep: lead/);
});
