import type { Json } from '../../plan/json';
import { calls, LEAD, scriptedShop, text, tokens } from './scripted-shop';
import { codeOf } from './workshop';

const TALK = `${LEAD}/send-bull`;
const send = (message: string, timeoutSeconds = 30): [string, Json] => ['sessions_send', { agent: 'bull', message, timeoutSeconds }];

describe('point 2: send', () => {
  test('waits for the answer, in a talk that remembers what was said', async () => {
    const shop = await scriptedShop({
      replies: {
        lead: [text('done', calls(send('up?'), send('why?')))],
        'lead>bull': [text('yes', { ask: 1 }), text('because', { ask: 2 })],
      },
    });
    await shop.perform();
    expect(await shop.answers()).toEqual(['yes', 'because']);
    const last = shop.requests[2];
    expect(last).toMatchObject({ agent: { id: 'bull' }, prompt: 'why?' });
    expect(last?.transcript().map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(await shop.transcript(TALK)).toHaveLength(7);
  });

  test('is charged to the try of who asks', async () => {
    const shop = await scriptedShop({
      replies: { lead: [text('done', { usage: tokens(10), ...calls(send('up?')) })], 'lead>bull': [text('yes', { usage: tokens(30) })] },
    });
    const output = await shop.perform({ budget: { tokens: 40 } });
    expect(output).toMatchObject({ usage: { inputTokens: 40 } });
    expect(shop.requests[1]?.maxTokens).toBe(40);
  });

  test('pauses the try where the answer is not left, and goes on with the same question', async () => {
    const shop = await scriptedShop({
      replies: { lead: [text('done', { usage: tokens(10), ...calls(send('up?')) })], 'lead>bull': [text('yes', { usage: tokens(30) })] },
    });
    expect((await shop.perform({ budget: { tokens: 29 } })).paused).toMatchObject({ short: { kind: 'tokens', needed: 30 } });
    expect(await shop.perform({ budget: { tokens: 39 } })).toMatchObject({
      usage: { inputTokens: 30 },
      paused: { short: { kind: 'tokens', needed: 40 } },
    });
    await shop.perform({ budget: { tokens: 40 } });
    expect(shop.given).toEqual(['yes', 'done']);
  });

  test('hands up question and answer as envelopes, in order', async () => {
    const shop = await scriptedShop({
      replies: { lead: [text('done', calls(send('up?')))], 'lead>bull': [text('yes')] },
    });
    const { journal } = await shop.perform();
    expect(journal).toMatchObject([
      { kind: 'envelope', step: 'lead', envelope: { from: 'lead', to: 'bull', intent: 'collect_opinion', expect_response: true } },
      { kind: 'envelope', step: 'lead', envelope: { from: 'bull', to: 'lead', intent: 'deliver_report', expect_response: false } },
    ]);
    const texts = await Promise.all(
      (journal ?? []).map(async (event) => {
        const sha256 = event.kind === 'envelope' ? (event.envelope.payload as { sha256: string }).sha256 : '';
        return (await shop.artifacts.get({ sha256 })).toString();
      }),
    );
    expect(texts).toEqual(['up?', 'yes']);
  });

  test('has at most 5 turns in one talk', async () => {
    const shop = await scriptedShop({
      replies: { lead: [text('done', calls(...Array.from({ length: 6 }, (_, n) => send(`${n}?`))))], 'lead>bull': [text('yes')] },
    });
    const output = await shop.perform();
    expect((await shop.answers()).filter((said) => said === 'yes')).toHaveLength(5);
    expect(output.journal?.filter(({ kind }) => kind === 'tool')).toMatchObject([{ tool: 'sessions_send', outcome: 'refused' }]);
  });

  test('keeps timeoutSeconds: who does not answer in time has not answered, and the agent goes on', async () => {
    const waits: number[] = [];
    const shop = await scriptedShop({
      toolbox: {
        timer: (ms, ring) => {
          waits.push(ms);
          if (ms === 2000) setImmediate(ring);
          return () => undefined;
        },
      },
      replies: { lead: [text('done', calls(send('up?', 2)))], 'lead>bull': [{ reply: { kind: 'hang' } }] },
    });
    const output = await shop.perform();
    expect(waits).toContain(2000);
    expect(output).toMatchObject({ artifact: {}, journal: [{ envelope: { intent: 'collect_opinion' } }] });
  });

  test('tells of a failure of who was asked', async () => {
    const shop = await scriptedShop({
      replies: {
        lead: [text('done', calls(send('up?')))],
        'lead>bull': [{ reply: { kind: 'fail', code: 'model.refused', message: 'no' } }],
      },
    });
    const output = await shop.perform();
    expect(output.artifact).toBeDefined();
    expect(await shop.answers()).toEqual([expect.stringContaining('model.refused')]);
  });

  test('is tried again as a whole where the failure is nobody’s fault', async () => {
    const overloaded = { kind: 'fail', code: 'model.overloaded', message: '529' } as const;
    const shop = await scriptedShop({ replies: { lead: [text('done', calls(send('up?')))], 'lead>bull': [{ reply: overloaded }] } });
    expect(await codeOf(shop.perform())).toBe('model.overloaded');
  });

  test('is never offered to a child, however deep the run may go', async () => {
    const shop = await scriptedShop({ plan: { depth: 5 }, replies: { 'lead>bear': [text('done', calls(send('up?')))] } });
    const id = `${LEAD}/spawn-1`;
    const output = await shop.perform({ spawn: { id, agent: 'bear', task: 'look', depth: 1 } }, id);
    expect(shop.requests[0]?.tools?.specs.map(({ name }) => name)).not.toContain('sessions_send');
    expect(output.journal).toMatchObject([{ tool: 'sessions_send', outcome: 'refused' }]);
  });

  test('nor to who is asked', async () => {
    const shop = await scriptedShop({
      replies: {
        lead: [text('done', calls(send('up?')))],
        'lead>bull': [text('yes', calls(['sessions_spawn', { agent: 'bear', task: 'x' }]))],
      },
    });
    const output = await shop.perform();
    expect(shop.requests[1]?.tools?.specs.map(({ name }) => name)).toEqual(['escalate', 'notify', 'read_artifact']);
    expect(output.journal?.filter(({ kind }) => kind === 'tool')).toHaveLength(1);
    expect(output.paused).toBeUndefined();
  });

  test('asks nobody whom the run does not know', async () => {
    const unknown: [string, Json] = ['sessions_send', { agent: 'nobody', message: 'up?', timeoutSeconds: 1 }];
    const shop = await scriptedShop({ replies: { lead: [text('done', calls(unknown))] } });
    expect((await shop.perform()).journal).toMatchObject([{ tool: 'sessions_send', outcome: 'refused' }]);
  });
});
