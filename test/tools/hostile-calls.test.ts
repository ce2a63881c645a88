import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelAdapter } from '../../activities/adapters/model/model-adapter';
import type { ModelService } from '../../activities/adapters/model/service';
import { agent } from '../../activities/agent/agent';
import type { Json } from '../../plan/text/json';
import { createToolPorts } from '../../worker/tool-ports';
import { calls, LEAD, noting, type ScriptedShop, scriptedShop, text } from '../activities/scripted-shop';
import { KEY, scratchFolder, workshop } from '../activities/workshop';

/** An agent that may read files, pay by a tool of the application's, and nothing else. */
async function shopCalling(...made: [tool: string, args: Json][]): Promise<ScriptedShop & { paid: Json[]; folder: string }> {
  const folder = scratchFolder();
  const pay = noting();
  const shop = await scriptedShop({
    lead: { tools: ['read_file', 'pay'] },
    toolbox: { tools: { pay }, toolPorts: createToolPorts({}, join(folder, '.thermidor')), workFolder: async () => folder },
    replies: { lead: [text('done', calls(...made))] },
  });
  return { ...shop, paid: pay.called, folder };
}

const refusals = (output: { journal?: readonly object[] }) =>
  (output.journal ?? []).map((event) => ({ ...event, reason: undefined, at: undefined }));
const refusal = (tool: string) => ({ kind: 'tool', step: 'lead', tool, outcome: 'refused' });

test.each([
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', ' read_file', 'READ_FILE', 'read_file\u200b', 'Pay', '*'],
  ...['mcp__files__read', 'mcp__', 'mcp____', 'mcp__read_file', 'sessions_spawn', 'load_skill', 'run'],
])('a tool called %j is none of this agent’s: the call is refused and journalled, and the entry has no action', async (tool) => {
  const shop = await shopCalling([tool, { path: 'a' }]);
  expect(refusals(await shop.perform())).toEqual([refusal(tool)]);
  expect(shop.paid).toEqual([]);
});

test.each<[string, Json]>([
  ['a prototype', JSON.parse('{"path": "a", "__proto__": {"x": 1}}')],
  ['a constructor', { path: 'a', constructor: 'x' }],
  ['another type', { path: { toString: 'a' } }],
  ['a list', ['a']],
  ['nothing', null],
  ['a text', '{"path": "a"}'],
])('arguments that are, or hold, %s do not reach a tool that knows no such', async (_, args) => {
  const shop = await shopCalling(['read_file', args]);
  writeFileSync(join(shop.folder, 'a'), 'SECRET');
  expect(refusals(await shop.perform())).toEqual([refusal('read_file')]);
  expect((await shop.answers()).join()).not.toContain('SECRET');
});

test('what a tool does get has no prototype of the agent’s making', async () => {
  const shop = await shopCalling(['pay', JSON.parse('{"__proto__": {"amount": 5}}')]);
  await shop.perform();
  const [got] = shop.paid;
  expect(Object.keys(got ?? {})).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(got)).toBe(Object.prototype);
});

test.each<[string, Json]>([
  ['a list', JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))],
  ['an object', JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)],
])('arguments that nest deeper than anybody can go are refused, and the agent goes on: %s', async (_, args) => {
  const pay = noting();
  const replies = [
    { text: '', calls: [{ id: 'c', tool: 'pay', args }], message: [args] },
    { text: 'done', calls: [] },
  ];
  const service: ModelService = { name: 'fake', reply: async () => ({ ...(replies.shift() ?? { text: '', calls: [] }), model: 'm' }) };
  const at = workshop({ adapters: new Map([['fake', modelAdapter(service)]]), tools: { pay } });
  const lead = { definition: await at.blob({ id: 'lead', role: 'You pay.', model: 'm', tools: ['pay'] }) };
  await at.open([{ id: 'lead', kind: 'agent', agent: 'lead' }], { agents: { lead } });
  const output = await agent(at.toolbox, at.call(LEAD), { run: KEY.run });
  expect(refusals(output)).toEqual([refusal('pay')]);
  expect([pay.called, replies]).toEqual([[], []]);
});

test('whatever a tool answers, an agent reads no more of it than there is room for', async () => {
  const shop = await scriptedShop({
    lead: { tools: ['flood'] },
    toolbox: { tools: { flood: { ...noting(), call: async () => ({ text: 'x'.repeat(5_000_000) }) } } },
    replies: { lead: [text('done', calls(['flood', {}]))] },
  });
  await shop.perform();
  const [answer = ''] = await shop.answers();
  expect(answer).toMatch(/\[… \d+ more characters; [^\]]+\]$/);
  expect(answer.length).toBeLessThan(200_000);
});
