import type { Json } from '../../plan/text/json';
import { calls, LEAD, report, reportText, scriptedShop, text, tokens } from './scripted-shop';
import { codeOf, KEY } from './workshop';

const TALK = `${LEAD}/send-bull`;
const send = (message: string, timeoutSeconds = 30): [string, Json] => ['sessions_send', { agent: 'bull', message, timeoutSeconds }];

describe('point 2: send', () => {
  test('waits for the answer, in a talk that remembers what was said', async () => {
    const shop = await scriptedShop({
      replies: {
        lead: [text('done', calls(send('up?'), send('why?')))],
        'lead>bull': [report('yes', { ask: 1 }), report('because', { ask: 2 })],
      },
    });
    await shop.perform();
    expect(await shop.answers()).toEqual([reportText('yes'), reportText('because')]);
    const last = shop.requests[2];
    expect(last).toMatchObject({ agent: { id: 'bull' }, prompt: 'why?' });
    expect(last?.transcript().map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(await shop.transcript(TALK)).toHaveLength(7);
  });

  test('is charged to the try of the agent that asks', async () => {
    const shop = await scriptedShop({
      replies: { lead: [text('done', { usage: tokens(10), ...calls(send('up?')) })], 'lead>bull': [report('yes', { usage: tokens(30) })] },
    });
    const output = await shop.perform({ budget: { tokens: 40 } });
    expect(output).toMatchObject({ usage: { inputTokens: 40 } });
    expect(shop.requests[1]?.maxTokens).toBe(40);
  });

  test('pauses the try if the answer is not left, and goes on with the same question', async () => {
    const shop = await scriptedShop({
      replies: { lead: [text('done', { usage: tokens(10), ...calls(send('up?')) })], 'lead>bull': [report('yes', { usage: tokens(30) })] },
    });
    expect((await shop.perform({ budget: { tokens: 29 } })).paused).toMatchObject({ short: { kind: 'tokens', needed: 30 } });
    expect(await shop.perform({ budget: { tokens: 39 } })).toMatchObject({
      usage: { inputTokens: 30 },
      paused: { short: { kind: 'tokens', needed: 40 } },
    });
    await shop.perform({ budget: { tokens: 40 } });
    expect(shop.given).toEqual([reportText('yes'), 'done']);
  });

  test('hands up question and answer as envelopes, in order', async () => {
    const shop = await scriptedShop({
      replies: { lead: [text('done', calls(send('up?')))], 'lead>bull': [report('yes')] },
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
    expect(texts).toEqual(['{"question":"up?"}', reportText('yes')]);
  });

  test('has at most 5 turns in one talk', async () => {
    const shop = await scriptedShop({
      replies: { lead: [text('done', calls(...Array.from({ length: 6 }, (_, n) => send(`${n}?`))))], 'lead>bull': [report('yes')] },
    });
    const output = await shop.perform();
    expect((await shop.answers()).filter((said) => said === reportText('yes'))).toHaveLength(5);
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
    expect(output).toMatchObject({
      artifact: {},
      journal: [
        { envelope: { intent: 'collect_opinion' } },
        { envelope: { from: 'bull', to: 'lead', intent: 'deliver_report', payload: { error: 'agent.timeout' } } },
      ],
    });
  });

  test('tells of a failure of the agent that was asked', async () => {
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

  test('is tried again as a whole if the failure is nobody’s fault', async () => {
    const overloaded = { kind: 'fail', code: 'model.overloaded', message: '529' } as const;
    const shop = await scriptedShop({ replies: { lead: [text('done', calls(send('up?')))], 'lead>bull': [{ reply: overloaded }] } });
    expect(await codeOf(shop.perform())).toBe('model.overloaded');
  });

  test('is never offered to a child, however deep the run may go', async () => {
    const shop = await scriptedShop({ plan: { depth: 5 }, replies: { 'lead>bear': [report('done', calls(send('up?')))] } });
    const id = `${LEAD}/spawn-1`;
    const output = await shop.perform({ spawn: { id, agent: 'bear', task: 'look', depth: 1 } }, id);
    expect(shop.requests[0]?.tools?.specs.map(({ name }) => name)).not.toContain('sessions_send');
    expect(output.journal).toMatchObject([{ tool: 'sessions_send', outcome: 'refused' }]);
  });

  test('nor to the agent that is asked', async () => {
    const shop = await scriptedShop({
      replies: {
        lead: [text('done', calls(send('up?')))],
        'lead>bull': [report('yes', calls(['sessions_spawn', { agent: 'bear', task: 'x' }]))],
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

describe('a talk goes on in the session that the partner has in the run', () => {
  const asks = (message: string, more: object = {}) => calls(['sessions_send', { agent: 'bull', message, ...more }]);

  test('over tries and rounds: what anybody asked it before comes before the question', async () => {
    const shop = await scriptedShop({
      replies: {
        lead: [text('done', { round: 1, ...asks('up?') }), text('done', { round: 2, ...asks('and now?') })],
        'lead>bull': [report('yes', { round: 1 }), report('still', { round: 2 })],
      },
    });
    await shop.perform();
    await shop.perform({}, 'lead#2~1');
    const last = shop.requests.findLast(({ agent }) => agent.id === 'bull');
    expect(last?.transcript().map(({ role, text: said }) => `${role} ${said.includes('up?') || said === reportText('yes')}`)).toEqual([
      'user true',
      'assistant true',
      'user false',
    ]);
    expect(last).toMatchObject({ earlier: 2, prompt: expect.stringContaining('and now?') });
  });

  test('an exchange is there once, however often a crash has it noted', async () => {
    const shop = await scriptedShop({
      replies: {
        lead: [text('done', { round: 1, ...asks('up?') }), text('done', { round: 2, ...asks('and now?') })],
        'lead>bull': [report('yes')],
      },
    });
    await shop.perform();
    const [line] = await shop.ledger.lines(KEY, 'sessions/bull');
    await shop.ledger.append(KEY, 'sessions/bull', line ?? null);
    await shop.perform({}, 'lead#2~1');
    expect(shop.requests.findLast(({ agent }) => agent.id === 'bull')?.transcript()).toHaveLength(3);
  });

  test('what is too much for a request is left out, the oldest first, and said', async () => {
    const long = 'x'.repeat(100_000);
    const shop = await scriptedShop({
      replies: {
        lead: [1, 2, 3].map((round) => text('done', { round, ...asks(`question ${round}`) })),
        'lead>bull': [report(long)],
      },
    });
    for (const round of [1, 2, 3]) await shop.perform({}, `lead#${round}~1`);
    const said = shop.requests.findLast(({ agent }) => agent.id === 'bull')?.transcript() ?? [];
    expect(said).toHaveLength(3);
    expect(said[0]?.text).toMatch(/^\(1 earlier questions/);
    expect(said[0]?.text).toContain('question 2');
  });
});

describe('what agents say to each other is JSON with a schema', () => {
  const asks = (more: object = {}) => calls(['sessions_send', { agent: 'bull', message: 'up?', ...more }]);
  const COUNT: Json = { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } };

  test('prose is asked for once more, and then reported as a failure; each request and answer has an envelope', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('done', asks())], 'lead>bull': [text('It will rise.')] } });
    const output = await shop.perform();
    expect(await shop.answers()).toEqual([expect.stringContaining('reply.invalid: the reply is not JSON')]);
    const said = (output.journal ?? []).flatMap((event) => (event.kind === 'envelope' ? [event] : []));
    expect(said.map(({ envelope }) => `${envelope.from} ${envelope.intent}`)).toEqual([
      'lead collect_opinion',
      'lead request_clarification',
      'bull deliver_report',
    ]);
    expect(said[1]?.envelope.payload).toMatchObject({ missing_fields: ['$'], faults: [{ path: '$', reason: 'is not JSON' }] });
    const times = said.map(({ at = '' }) => at);
    expect(times).toEqual([...new Set(times)].toSorted());
  });

  test('a repaired answer counts, and the next question goes on after it', async () => {
    const shop = await scriptedShop({
      replies: {
        lead: [text('done', calls(send('up?'), send('why?')))],
        'lead>bull': [text('yes', { ask: 1 }), report('yes', { ask: 2 }), report('because', { ask: 3 })],
      },
    });
    await shop.perform();
    expect(await shop.answers()).toEqual([reportText('yes'), reportText('because')]);
  });

  test.each<[string, object]>([
    ['of its own', { schema: COUNT }],
    ['of an output of the pipeline, by its name', { schema: 'Count' }],
    ['of an output of the pipeline, by its file', { schema: 'Count.json' }],
  ])('who asks may name a schema %s', async (_, more) => {
    const shop = await scriptedShop({
      step: { output: { name: 'Count.json', schema: 'set below' } },
      replies: {
        lead: [{ ...asks(more), reply: { kind: 'json', value: { count: 1 } } }],
        'lead>bull': [report('no', { ask: 1 }), { ask: 2, reply: { kind: 'json', value: { count: 3 } } }],
      },
      schema: COUNT,
    });
    await shop.perform();
    expect((await shop.answers()).map((said) => JSON.parse(said) as Json)).toEqual([{ count: 3 }]);
    expect(shop.requests.find(({ agent }) => agent.id === 'bull')).toMatchObject({
      schema: COUNT,
      prompt: expect.stringContaining('"count"'),
    });
  });

  test('an agent with a schema of its own answers in that', async () => {
    const shop = await scriptedShop({
      bull: COUNT,
      replies: { lead: [text('done', asks())], 'lead>bull': [{ reply: { kind: 'json', value: { count: 2 } } }] },
    });
    await shop.perform();
    expect(await shop.answers()).toEqual([JSON.stringify({ count: 2 }, null, 2)]);
  });

  test.each<[string, Json]>([
    ['a name that no output has', 'Nothing.json'],
    ['a list', []],
    ['a keyword that is none', { type: 'object', properties: 7 }],
    ['a type that is none', { type: 'thing' }],
    ['a schema of a text', { type: 'string' }],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }],
    ['a pattern that cannot be matched in linear time', { properties: { a: { pattern: '(a)\\1' } } }],
    ['1 MB', { description: 'x'.repeat(1_000_000) }],
    ['too deep', JSON.parse(`${'{"not":'.repeat(150)}{}${'}'.repeat(150)}`) as Json],
  ])('a schema that is none is refused in words: %s', async (_, schema) => {
    const shop = await scriptedShop({
      replies: {
        lead: [
          text(
            'done',
            calls(['sessions_send', { agent: 'bull', message: 'up?', schema }], ['sessions_spawn', { agent: 'bull', task: 'x', schema }]),
          ),
        ],
      },
    });
    const output = await shop.perform();
    expect(output.paused).toBeUndefined();
    expect(shop.requests).toHaveLength(1);
    const told = (output.journal ?? []).flatMap((event) => (event.kind === 'tool' ? [event.reason] : []));
    expect(told).toHaveLength(2);
    for (const reason of told) expect(reason).toMatch(/schema/);
  });

  test.each([-1, 0, Number.NaN, 1e9, 1.5])('timeoutSeconds of %s is refused', async (timeoutSeconds) => {
    const shop = await scriptedShop({ replies: { lead: [text('done', asks({ timeoutSeconds }))] } });
    expect((await shop.perform()).journal).toMatchObject([{ tool: 'sessions_send', reason: expect.stringContaining('timeoutSeconds') }]);
  });

  test('without timeoutSeconds an answer has five minutes', async () => {
    const waits: number[] = [];
    const shop = await scriptedShop({
      toolbox: {
        timer(ms) {
          waits.push(ms);
          return () => undefined;
        },
      },
      replies: { lead: [text('done', asks())], 'lead>bull': [report('yes')] },
    });
    await shop.perform();
    expect(waits).toContain(300_000);
  });

  test('an answer of 10 MB of prose is refused like a short one', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('done', asks())], 'lead>bull': [text('x'.repeat(10_000_000))] } });
    const output = await shop.perform();
    expect(output.artifact).toBeDefined();
    expect(JSON.stringify(output).length).toBeLessThan(20_000);
  });
});
