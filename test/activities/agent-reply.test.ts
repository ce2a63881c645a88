import { agent } from '../../activities/agent/agent';
import type { AgentAdapter } from '../../activities/agent-port';
import type { ReviewStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import type { Turn } from '../../records/transcripts/turn';
import { ADDRESS, briefStep, GOOD_TEXT, INPUT } from './brief-step';
import { codeOf, failureOf, fakeAgent, withAgent, workshop } from './workshop';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const review: ReviewStep = { id: 'bull', kind: 'review', agent: 'bull', of: 'converge', output: { name: 'Review.json' } };

describe('the reply to an agent step', () => {
  test('asks once for what is missing, and accepts the repaired reply', async () => {
    const adapter = fakeAgent(({ ask }) => (ask === 1 ? '{"thesis": "up", "key_levels": [{"price": 1}, {"price": 2}]}' : GOOD_TEXT));
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop)]);
    const output = await agent(shop.toolbox, shop.call(ADDRESS), INPUT);
    expect(output.repairs).toEqual([{ missingFields: ['invalidation', 'key_levels[].evidence'] }]);
    expect(adapter.requests[1]?.prompt).toContain('key_levels[].evidence');
    expect(adapter.requests[1]?.transcript().map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  describe('that is empty', () => {
    const called: Turn = { role: 'assistant', text: '', calls: [{ id: 'c', tool: 'read_file', args: {} }] };
    const result: Turn = { role: 'tool', text: 'x', call: { id: 'c', tool: 'read_file', args: {} } };
    const given = async (...turns: Turn[]) => {
      const adapter = fakeAgent(({ ask }) => (ask === 1 ? turns : [{ role: 'assistant', text: 'A brief.' }]));
      const shop = workshop(withAgent(adapter));
      await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }]);
      const { repairs } = await agent(shop.toolbox, shop.call(ADDRESS), INPUT);
      return { repairs: repairs?.length ?? 0, prompt: adapter.requests[1]?.prompt };
    };

    test.each(['', ' \n'])('is asked for again if the agent has called nothing: %j', async (text) => {
      const { repairs, prompt } = await given({ role: 'assistant', text });
      expect(repairs).toBe(1);
      expect(prompt).toContain('is empty');
      expect(prompt).not.toContain('JSON');
    });

    test('is one if the agent has called tools, and may have left its work in files', async () => {
      expect((await given(called, result, { role: 'assistant', text: '' })).repairs).toBe(0);
    });

    test('is none if the service gave no reply at all, whatever was called', async () => {
      expect((await given(called, result, { role: 'assistant', text: '', stop: 'empty' })).repairs).toBe(1);
    });

    test('fails when the repair is empty too', async () => {
      const shop = workshop(withAgent(fakeAgent(() => '')));
      await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }]);
      expect(await codeOf(agent(shop.toolbox, shop.call(ADDRESS), INPUT))).toBe('reply.invalid');
    });
  });

  test.each<[string, string, Json]>([
    ['not JSON', 'I think the market will rise.', { missingFields: ['$'], faults: [{ path: '$', reason: 'is not JSON' }] }],
    ['no object', '[1]', { missingFields: ['$'], problems: ['the reply is JSON, but not an object'] }],
    ['two fenced blocks', '```json\n{}\n```\n```json\n{}\n```', { missingFields: ['$'] }],
    ['a wrong type', GOOD_TEXT.replace('"up"', '7'), { missingFields: ['thesis'], faults: [{ path: 'thesis', reason: 'must be string' }] }],
    [
      'what the agent itself says is missing',
      GOOD_TEXT.replace('{', '{"missing_fields":["key_levels[].evidence"],'),
      { missingFields: ['key_levels[].evidence'] },
    ],
    [
      'missing fields that are no list of paths',
      GOOD_TEXT.replace('{', '{"missing_fields":"thesis",'),
      { faults: [{ path: 'missing_fields', reason: 'must be a list of the paths that are missing' }] },
    ],
    [
      'a list of missing fields that names one and says something else',
      GOOD_TEXT.replace('{', '{"missing_fields":["thesis",{"field":"thesis"}],'),
      { missingFields: ['thesis', 'missing_fields'] },
    ],
  ])('fails when the repair is bad too: %s', async (_, reply, details) => {
    const adapter = fakeAgent(() => reply);
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop)]);
    const failure = await failureOf(agent(shop.toolbox, shop.call(ADDRESS), INPUT));
    expect(failure).toMatchObject({ code: 'reply.invalid', details });
    expect(adapter.requests).toHaveLength(2);
    const { previous } = failure.details as { previous: { sha256: string } };
    expect((await shop.artifacts.get(previous)).toString()).toBe(reply);
  });

  describe('that cannot be used is quoted in the failure', () => {
    const messageOf = async (reply: string, address = ADDRESS): Promise<string> => {
      const shop = workshop({ ...withAgent(fakeAgent(() => reply)), secrets: { resolve: async () => 'hunter22' } });
      await shop.open([await briefStep(shop, { repair: 0 })], { args: { key: { secret: true } } }, undefined, { key: 'secret://env/KEY' });
      return (await failureOf(agent(shop.toolbox, shop.call(address), INPUT))).message;
    };

    test.each([
      ['by its first line', '\n\n  I think so.\nAnd more.', '"I think so."'],
      ['cut', 'x'.repeat(500), `"${'x'.repeat(120)}…"`],
      ['with what would steer a terminal escaped', '\u001b[2Jgone \u009b1m\u202etxt', '"\\u001b[2Jgone 1mtxt"'],
      ['without half a character', `${'x'.repeat(119)}😀`, `"${'x'.repeat(119)}…"`],
      ['without secrets, whole or cut', `${'x'.repeat(115)} hunter22`, `"${'x'.repeat(115)} ***"`],
    ])('%s', async (_, reply, quoted) => {
      expect(await messageOf(reply)).toMatch(
        new RegExp(`; the reply begins ${escaped(quoted)}; \`thermidor show \\S+ bull --transcript\` has all of it$`),
      );
    });

    test('and not if it is blank', async () => {
      expect(await messageOf(' ')).not.toContain('begins');
    });

    test('with the round of the step whose transcript has it', async () => {
      expect(await messageOf('no', 'bull#2~1')).toMatch(/ bull#2 --transcript` has all of it$/);
    });
  });

  test('asks for no repair if the step wants none', async () => {
    const adapter = fakeAgent(() => 'nothing');
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop, { repair: 0 })]);
    expect(await codeOf(agent(shop.toolbox, shop.call(ADDRESS), INPUT))).toBe('reply.invalid');
    expect(adapter.requests).toHaveLength(1);
  });

  test.each(['```json\n{"a":1}\n```', '\n```\n{"a":1}\n```\n', '\uFEFF{"a":1}\n'])(
    'takes JSON out of one fenced block: %j',
    async (reply) => {
      const shop = workshop(withAgent(fakeAgent(() => reply)));
      await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull', output: { name: 'A.json' } }]);
      const { artifact } = await agent(shop.toolbox, shop.call(ADDRESS), INPUT);
      expect((await shop.artifacts.get(artifact!)).toString()).toBe('{"a":1}');
    },
  );

  test.each(['[]', 'null'])('that has nothing missing is whole: %s', async (nothing) => {
    const adapter = fakeAgent(() => GOOD_TEXT.replace('{', `{"missing_fields":${nothing},`));
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop)]);
    await agent(shop.toolbox, shop.call(ADDRESS), INPUT);
    expect(adapter.requests).toHaveLength(1);
  });

  test('that says what it lacks does not pass if no JSON is promised either', async () => {
    const adapter = fakeAgent(({ ask }) => (ask === 1 ? '{"a": 1, "missing_fields": ["b"]}' : '{"a": 1, "b": 2}'));
    const shop = workshop(withAgent(adapter));
    await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }]);
    const { repairs } = await agent(shop.toolbox, shop.call(ADDRESS), INPUT);
    expect(repairs).toEqual([{ missingFields: ['b'] }]);
  });

  test('takes any text if no JSON is promised', async () => {
    const shop = workshop(withAgent(fakeAgent(() => 'a poem')));
    await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }]);
    expect((await agent(shop.toolbox, shop.call(ADDRESS), INPUT)).artifact).toMatchObject({ name: 'bull.md', mediaType: 'text/plain' });
  });
});

describe('a review', () => {
  test('reports its verdict next to the report', async () => {
    const report = { verdict: 'needs_retry', score: 0.4, issues: [{ severity: 'major' }], revise_target: 'bull', summary: 's' };
    const shop = workshop(withAgent(fakeAgent(() => JSON.stringify(report))));
    await shop.open([review]);
    const { verdict } = await agent(shop.toolbox, shop.call(ADDRESS), INPUT);
    expect(verdict).toEqual({
      verdict: 'revise',
      said: 'needs_retry',
      score: 0.4,
      findings: { high: 1 },
      reviseTarget: 'bull',
      summary: 's',
    });
  });

  test.each(['{"verdict": "perhaps"}', '{"summary": "fine"}'])('fails without a verdict that is known: %s', async (reply) => {
    const shop = workshop(withAgent(fakeAgent(() => reply)));
    await shop.open([review]);
    expect(await codeOf(agent(shop.toolbox, shop.call(ADDRESS), INPUT))).toBe('reply.no-verdict');
  });
});

test('an adapter that does not clean up after a request that was broken off is in the log, and the work ends as it would', async () => {
  const adapter: AgentAdapter = {
    name: 'fake',
    ownTools: true,
    async *run() {
      try {
        for (let n = 1; ; n++) yield { role: 'assistant', text: '', calls: [{ id: `c${n}`, tool: 'look', args: {} }] };
      } finally {
        await Promise.reject(new Error('its program still runs'));
      }
    },
  };
  const log = jest.fn();
  const shop = workshop({ ...withAgent(adapter), log });
  await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }]);
  const { paused } = await agent(shop.toolbox, shop.call(ADDRESS), { ...INPUT, budget: { toolCalls: 1 } });
  expect(paused).toMatchObject({ kind: 'budget', short: { kind: 'toolCalls' } });
  expect(log.mock.calls).toMatchObject([['warn', expect.anything(), { adapter: 'fake', problem: 'Error: its program still runs' }]]);
});
