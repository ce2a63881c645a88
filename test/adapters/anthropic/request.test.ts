import { requestBody } from '../../../activities/adapters/anthropic/request';
import { ALL_FEATURES } from '../../../activities/adapters/anthropic/request-features';
import type { ModelRequest } from '../../../activities/adapters/model/service';
import { defined } from '../../../plan/defined';
import { field, type Json } from '../../../plan/text/json';
import type { Turn } from '../../../records/transcripts/turn';
import { type MessagesReply, say } from '../../support/messages-server/served';
import { fail, type Served } from '../../support/model-server/served';
import { asked } from '../model/request';
import { run } from '../model/run';
import { closeServers, local } from './local';

/** The bodies of requests, and how they change if a model does not accept their form. */
afterEach(closeServers);

const CALL = { id: 'c', tool: 'read_file', args: {} };
const TURNS: Turn[] = [
  { role: 'user', text: 'q' },
  { role: 'assistant', text: '', calls: [CALL] },
  { role: 'tool', text: 'r', call: CALL },
];

function body(parts: Partial<ModelRequest> = {}) {
  const tools = [{ name: 'read_file', description: 'd', parameters: { type: 'object' } }];
  return requestBody({ idempotencyKey: 'k', model: 'm', system: 's', turns: TURNS, tools, alive: () => undefined, ...parts }, ALL_FEATURES);
}

function marks(value: unknown): number {
  return JSON.stringify(value).split('cache_control').length - 1;
}

describe('marks for the cache', () => {
  test('come after tools and system, and after the last two messages of the user', () => {
    const { system, messages, tools } = body();
    expect(system).toMatchObject([{ cache_control: { type: 'ephemeral' } }]);
    expect(marks(tools)).toBe(0);
    expect(messages.map(marks)).toEqual([1, 0, 1]);
  });

  test('come after the tools if there is no system', () => {
    const { system, tools } = body({ system: ' ' });
    expect(system).toBeUndefined();
    expect(marks(tools)).toBe(1);
  });

  test('are no more for a longer context', () => {
    const long = Array.from({ length: 20 }, (_, at) => ({ ...CALL, id: `c${at}` })).flatMap((call): Turn[] => [
      { role: 'assistant', text: '', calls: [call] },
      { role: 'tool', text: 'r', call },
    ]);
    expect(marks(body({ turns: [{ role: 'user', text: 'q' }, ...long] }))).toBe(3);
  });
});

describe('thinking', () => {
  test.each([
    [undefined, 10_000, undefined],
    [0, 10_000, { type: 'disabled' }],
    [100, 10_000, { type: 'enabled', budget_tokens: 1024 }],
    [4000, 10_000, { type: 'enabled', budget_tokens: 4000 }],
    [4000, 2000, { type: 'enabled', budget_tokens: 1999 }],
    [4000, 1000, undefined],
  ])('of %s tokens in a reply of %s is %j', (thinkingTokens, maxTokens, wanted) => {
    const turns = TURNS.slice(0, 1);
    expect(body({ turns, maxTokens, ...defined({ thinkingTokens }) }).thinking).toEqual(wanted);
  });
});

describe('a form that a model does not take is left out, unpaid, and not tried again', () => {
  const schema = { type: 'object', properties: { price: { type: 'number' } } };
  const thinks = { id: 'a', role: 'r', model: 'claude-test', limits: { thinkingTokens: 2000 } };

  /** Two requests of one worker to a server that refuses what `refuses` says. */
  async function twice(refuses: (body: Json) => string | undefined) {
    const { server, adapter } = await local(({ body }): Served<MessagesReply> => {
      const why = refuses(body);
      return why === undefined ? say('{"price": 42}') : fail(400, why);
    });
    await run(adapter, asked({ schema, agent: thinks }));
    const first = server.requests.length;
    await run(adapter, asked({ schema, agent: thinks }));
    expect(server.paid()).toBe(2);
    expect(server.problems).toEqual([]);
    return { bodies: server.requests.map(({ body }) => body), first };
  }

  test('a schema', async () => {
    const { bodies, first } = await twice((body) =>
      field(body, 'output_config') ? 'output_config: Extra inputs are not permitted' : undefined,
    );
    expect(first).toBe(2);
    expect(bodies.map((body) => body['output_config'] !== undefined)).toEqual([true, false, false]);
  });

  test('a schema that is too complex', async () => {
    const { first } = await twice((body) => (field(body, 'output_config') ? 'The compiled grammar is too large' : undefined));
    expect(first).toBe(2);
  });

  test('a budget for thinking: it thinks as it does by itself', async () => {
    const { bodies } = await twice((body) =>
      field(field(body, 'thinking'), 'type') === 'enabled' ? 'thinking.type.enabled is not supported for this model' : undefined,
    );
    expect(bodies.map((body) => field(body['thinking'], 'type'))).toEqual(['enabled', 'adaptive', 'adaptive']);
  });

  test('thinking at all', async () => {
    const { bodies } = await twice((body) => (field(body, 'thinking') ? 'this model does not support thinking' : undefined));
    expect(bodies.map((body) => field(body['thinking'], 'type'))).toEqual(['enabled', 'adaptive', undefined, undefined]);
  });

  test('so many tokens', async () => {
    const { bodies } = await twice((body) =>
      Number(field(body, 'max_tokens')) > 8192
        ? 'max_tokens: 18000 > 8192, which is the maximum allowed number of output tokens'
        : undefined,
    );
    expect(bodies.map((body) => body['max_tokens'])).toEqual([18_000, 8192, 8192]);
  });

  test('more tokens than there is room for: in that request alone', async () => {
    let refusals = 0;
    const { bodies } = await twice(() =>
      refusals++ === 0 ? 'input length and `max_tokens` exceed context limit: 195000 + 18000 > 200000' : undefined,
    );
    expect(bodies.map((body) => body['max_tokens'])).toEqual([18_000, 5000, 18_000]);
  });

  test('and what is asked in another form is asked by another key', async () => {
    const { server, adapter } = await local(
      ({ body }): Served<MessagesReply> => (body['output_config'] ? fail(400, 'no output_config') : say('42')),
    );
    await run(adapter, asked({ schema }));
    const keys = server.requests.map(({ headers }) => String(headers['idempotency-key']));
    expect(keys).toEqual([keys[0], `${keys[0]};2`]);
  });

  test('something else is a bad request, and nothing is learnt from it', async () => {
    const { server, adapter } = await local([
      fail(400, 'tools.0.custom.input_schema: JSON schema is invalid'),
      fail(400, 'tools.0.custom.input_schema: JSON schema is invalid'),
      say('42'),
    ]);
    await expect(run(adapter, asked({ schema }))).rejects.toMatchObject({ code: 'model.bad-request' });
    await run(adapter, asked({ schema }));
    expect(server.requests.at(-1)?.body).toHaveProperty('output_config');
  });
});
