import { field } from '../../plan/text/json';
import { call } from '../support/messages-server/served';
import { inSweep } from '../support/sweep';
import { keptLiveScratch } from './agents/service';
import { journal, runOf, untilStatus } from './support/runs';
import { until } from './support/until';

/** Members with a tool server, on a real server: a call that asks the board waits for the answer, and no server is started again for it. */
const live = keptLiveScratch();

/** A server of tools that notes each of its starts. */
const SERVER = `
const { appendFileSync } = require('node:fs');
appendFileSync(process.argv[2], process.pid + '\\n');
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize')
    say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'desk', version: '1' } });
  else if (method === 'tools/list') say(id, { tools: [{ name: 'look', description: 'looks', inputSchema: { type: 'object' } }] });
  else if (method === 'tools/call') say(id, { content: [{ type: 'text', text: 'seen' }] });
});
`;
const MEMBERS = ['ann', 'ben', 'cem', 'dan', 'eva', 'fay'];

inSweep.test('six members create, list, claim and complete tasks at once, with one start of their server for each work', async () => {
  const { scratch, server, serve } = live();
  const starts = scratch.path('starts');
  const settings = {
    default_adapter: 'anthropic',
    adapters: { anthropic: { base_url: server.url, model: 'model-1' } },
    mcp: { desk: { command: [process.execPath, scratch.write('desk.cjs', SERVER), starts] } },
  };
  scratch.write('thermidor.yaml', JSON.stringify(settings));
  const members = MEMBERS.map((name) => ({ name, agent: 'worker', prompt: `You are ${name}.` }));
  const step = {
    id: 'team',
    type: 'board',
    idle_timeout: '2s',
    most_members: 6,
    members,
    tasks: [{ name: 'only', subject: 'The only one' }],
  };
  const agents = { worker: { role: 'You work.', tools: ['mcp__desk'] } };
  scratch.write('pipelines/desks.yaml', JSON.stringify({ name: 'desks', agents, steps: [step], output: 'team' }));
  serve(({ body }) => {
    const last = JSON.stringify([field(body as never, 'messages') ?? []].flat().at(-1));
    if (/<auto-claimed>|still own/.test(last)) return call(['complete_task', {}], ['idle', {}]);
    if (last.includes('You are')) return call(['create_task', { subject: 'One more' }], ['list_tasks', {}]);
    return last.includes('The only one') ? call(['mcp__desk__look', {}], ['claim_task', { task_id: 1 }]) : call(['idle', {}]);
  });
  const worker = scratch.follow('run', 'desks', '--live');
  const run = await runOf(worker);
  const onBoard = async () => (await journal(scratch, run)).flatMap((entry) => (entry.kind === 'board' ? [entry] : []));
  // Each look is a query, which the server may put into the middle of a task.
  await until('all are completed', async () => (await onBoard()).filter(({ event }) => event === 'completed').length === 7);
  await worker.endsWith(0);
  const { steps } = await untilStatus(scratch, run, 'it is completed', ({ state }) => state === 'completed');
  const tasks = steps.flatMap(({ board }) => board?.tasks ?? []);
  expect(tasks).toMatchObject(Array.from({ length: 7 }, () => ({ status: 'completed', attempt: 1 })));
  const entries = await onBoard();
  expect(entries.filter(({ event }) => event === 'created')).toHaveLength(7);
  const works = entries.filter(({ event }) => event === 'working').length;
  expect(scratch.lines('starts').length).toBe(works);
});
