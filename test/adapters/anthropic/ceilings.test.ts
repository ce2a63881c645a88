import { createAnthropicService } from '../../../activities/adapters/anthropic/service';
import { modelAdapter } from '../../../activities/adapters/model/model-adapter';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import type { Json } from '../../../plan/text/json';
import { MESSAGES } from '../../support/messages-server/dialect';
import { say } from '../../support/messages-server/served';
import { startMessagesServer } from '../../support/messages-server/server';
import { type ModelServer, startModelServer } from '../../support/model-server/server';
import { runWhole, type WholeRun } from '../../support/whole-run';

/** Ceilings in dollars and tokens, from the pipeline's file to a server that speaks the Messages API and uses all that it may. */

const PRICES = { models: { m: { input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0.3 } } };
const MICRO = 1_000_000;
const servers: ModelServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

interface Paid {
  run: WholeRun;
  /** What the service has earned, in dollars. */
  earned(): number;
  tokens(): number;
  /** `max_tokens` of its requests. */
  limits: number[];
}

/** @param counter the answer of `count_tokens`, if the server has it */
async function pay(pipeline: string, { role = 'Writes.', counter }: { role?: string; counter?: Json } = {}): Promise<Paid> {
  let microUsd = 0;
  let tokens = 0;
  const limits: number[] = [];
  const pages = counter === undefined ? {} : { '/v1/messages/count_tokens': counter };
  const server = await startModelServer({ ...MESSAGES, pages }, ({ body }) => {
    const output = Number(body['max_tokens']);
    const cacheWrite = counter === undefined ? Buffer.byteLength(JSON.stringify(body['messages']) + JSON.stringify(body['system'])) : 50;
    limits.push(output);
    tokens += output + cacheWrite;
    microUsd += 15 * output + 3.75 * cacheWrite;
    return say('done', { usage: { input: 0, output, cacheWrite } });
  });
  servers.push(server);
  const spec = { kind: 'anthropic', key: server.key, baseUrl: server.url } as const;
  const adapter = modelAdapter(createAnthropicService({ name: 'scripted', spec, secrets: new LocalSecrets({}) }));
  const files = { 'agents/w.yaml': `role: ${role}\nmodel: m\ntools: []\n` };
  const run = runWhole(pipeline, { files, toolbox: { prices: PRICES, adapters: new Map([['scripted', adapter]]) } });
  await run.quiet();
  return { run, limits, earned: () => microUsd / MICRO, tokens: () => tokens };
}

const five = [1, 2, 3, 4, 5].map((n) => `      - {id: b${n}, agent: w, prompt: go}`).join('\n');

test.each([
  ['five agents side by side', 0.1, `  - id: all\n    type: parallel\n    branches:\n${five}\n`],
  ['one agent', 0.02, '  - {id: a, agent: w, prompt: go}\n'],
])('%s under %d dollars stay below that', async (_who, usd, steps) => {
  const { run, earned, limits } = await pay(`budget: {usd: ${usd}}\nsteps:\n${steps}`);
  expect(limits.length).toBeGreaterThan(0);
  expect(earned()).toBeLessThanOrEqual(usd);
  expect(run.status().budget?.costMicroUsd?.spent).toBeGreaterThanOrEqual(Math.round(earned() * MICRO));
  await run.quiet();
  if (run.status().state === 'held') run.signal('abort', { by: 'ann' });
  await run.result.catch(() => undefined);
});

test.each([
  ['five agents side by side', `  - id: all\n    type: parallel\n    branches:\n${five}\n`],
  ['one agent', '  - {id: a, agent: w, prompt: go}\n'],
])(
  '%s that have 100 kB to read are not asked under 10,000 tokens; a person is asked instead, and sees how many would do',
  async (_who, steps) => {
    const { run, tokens } = await pay(`budget: {tokens: 10000}\nsteps:\n${steps}`, { role: 'w'.repeat(100_000) });
    expect(tokens()).toBe(0);
    const [gate] = run.status().gates ?? [];
    expect(gate).toMatchObject({ kind: 'budget', raise: { tokens: expect.any(Number) } });
    expect(gate?.question).toMatch(/of 10000 tokens .* a ceiling of 10\d{4} would/);
    const { raise = {} } = gate ?? {};
    await run.update('extend_budget', { ...raise, by: 'ann' });
    await run.quiet();
    expect(tokens()).toBeGreaterThan(100_000);
    expect(tokens()).toBeLessThanOrEqual(Number(raise['tokens']));
    if (run.status().state === 'held') run.signal('abort', { by: 'ann' });
    await run.result.catch(() => undefined);
  },
);

test('one agent is held if it cannot afford a reply that is of use, and goes on with more', async () => {
  const { run, earned } = await pay('budget: {usd: 0.01}\nsteps:\n  - {id: a, agent: w, prompt: go}\n');
  expect(earned()).toBe(0);
  expect(run.status()).toMatchObject({ state: 'held', gates: [{ step: 'a', kind: 'budget', raise: { usd: expect.any(Number) } }] });
  await run.update('extend_budget', { usd: 0.03, by: 'ann' });
  await expect(run.result).resolves.toMatchObject({ status: 'completed' });
  expect(earned()).toBeGreaterThan(0);
  expect(earned()).toBeLessThanOrEqual(0.03);
});

test('what the bytes of a long role would cost is counted by the service before a person is asked', async () => {
  const role = 'w'.repeat(20_000);
  const held = await pay('budget: {usd: 0.03}\nsteps:\n  - {id: a, agent: w, prompt: go}\n', { role });
  expect(held.limits).toEqual([]);
  held.run.signal('abort', { by: 'ann' });
  await held.run.result.catch(() => undefined);
  const counted = await pay('budget: {usd: 0.03}\nsteps:\n  - {id: a, agent: w, prompt: go}\n', { role, counter: { input_tokens: 60 } });
  await expect(counted.run.result).resolves.toMatchObject({ status: 'completed' });
  expect(counted.earned()).toBeLessThanOrEqual(0.03);
});

test.each([{}, { input_tokens: -1 }, { input_tokens: 0 }, { input_tokens: 'few' }, []])('a count such as %j is none', async (counter) => {
  const server = await startModelServer({ ...MESSAGES, pages: { '/v1/messages/count_tokens': counter } }, [say('x')]);
  servers.push(server);
  const spec = { kind: 'anthropic', key: server.key, baseUrl: server.url } as const;
  const service = createAnthropicService({ name: 'a', spec, secrets: new LocalSecrets({}) });
  const request = { model: 'm', system: 's', turns: [{ role: 'user', text: 'go' } as const], tools: [] };
  expect(await service.countInput?.(request, new AbortController().signal)).toBeUndefined();
});

test('a server without a counter counts nothing, and one that is cancelled rejects with the reason', async () => {
  const server = await startMessagesServer([say('x')]);
  servers.push(server);
  const spec = { kind: 'anthropic', key: server.key, baseUrl: server.url } as const;
  const service = createAnthropicService({ name: 'a', spec, secrets: new LocalSecrets({}) });
  const request = { model: 'm', system: 's', turns: [{ role: 'user', text: 'go' } as const], tools: [] };
  expect(await service.countInput?.(request, new AbortController().signal)).toBeUndefined();
  await expect(service.countInput?.(request, AbortSignal.abort(new Error('off')))).rejects.toThrow('off');
});
