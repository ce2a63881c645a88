import type { BoardMessage } from '../../../plan/board/message';
import { toolNamed } from '../tool-use';
import { boardBench } from './board-bench';

const CALLER = { agent: 'writer', maxDepth: 0, agents: [], spawns: [], sendsTo: [], channels: [] };
const LEAD_ONLY = ['spawn_teammate', 'request_shutdown'];
const TOOLS = ['idle', 'claim_task', 'create_task', 'complete_task', 'fail_task', 'list_tasks', 'read_inbox', 'send_message', 'broadcast'];
const ALL = [...TOOLS, 'answer_request', 'submit_plan', ...LEAD_ONLY];

test.each(ALL)('%s comes with membership: agents do not list it, and nobody else has it', (name) => {
  const { unlisted, barred } = toolNamed(name);
  expect(unlisted).toBe(true);
  expect(barred?.(CALLER)).toEqual(expect.any(String));
  expect(barred?.({ ...CALLER, member: { isLead: true } })).toBeUndefined();
  expect(barred?.({ ...CALLER, member: {} }) === undefined).toBe(!LEAD_ONLY.includes(name));
});

test('a message to somebody who was there when the work began asks nobody', async () => {
  const { calls, sent, asked } = boardBench();
  await calls('send_message', { to: 'bob', content: 'Hello' });
  await calls('send_message', { to: 'lead', content: 'Hello' });
  expect(sent).toEqual([
    { type: 'message', to: 'bob', content: 'Hello', characters: 5 },
    { type: 'message', to: 'lead', content: 'Hello', characters: 5 },
  ]);
  expect(asked).toEqual([]);
});

test('a message to somebody who has come since is sent', async () => {
  const { calls, sent } = boardBench();
  await calls('send_message', { to: 'dave', content: 'Hello' });
  expect(sent).toHaveLength(1);
});

test.each([
  ['nobody', 'nobody in the team is called "nobody"; there are: dave'],
  ['carol', 'carol has shut down; there are: dave'],
  ['erin', 'erin has failed; there are: dave'],
  ['alice', 'that is you'],
])('refuses a message to %s, and says who is there', async (to, says) => {
  const { calls, sent } = boardBench();
  expect(await calls('send_message', { to, content: 'Hello' })).toMatchObject({ refused: true, text: expect.stringContaining(says) });
  expect(sent).toEqual([]);
});

test('a long message is in the store, and its beginning in the message', async () => {
  const { toolbox, sent, calls } = boardBench();
  await calls('broadcast', { content: 'y'.repeat(500) });
  expect(sent[0]).toMatchObject({ type: 'broadcast', characters: 500, content: `${'y'.repeat(199)}…` });
  expect(sent[0]).not.toHaveProperty('to');
  expect((await toolbox.artifacts.get(sent[0]!.whole!)).toString()).toBe('y'.repeat(500));
});

test('the inbox is read as JSON lines', async () => {
  const inbox: BoardMessage[] = [];
  const { calls } = boardBench({ inbox });
  expect((await calls('read_inbox')).text).toBe('Your inbox is empty.');
  inbox.push({ id: '1', type: 'message', from: 'bob', to: 'alice', content: 'all of it', characters: 9, at: '2026-01-01T00:00:00.000Z' });
  const line = '{"type":"message","from":"bob","content":"all of it","at":"2026-01-01T00:00:00.000Z"}';
  expect((await calls('read_inbox')).text).toBe(`<inbox>\n${line}\n</inbox>`);
});

test('a teammate is spawned as the agent that is named, or as the one that the board knows', async () => {
  const { calls, asked } = boardBench({ me: { isLead: true, spawns: ['writer', 'editor'] } });
  await calls('spawn_teammate', { name: 'bob', role: 'coder' });
  await calls('spawn_teammate', { name: 'carol', agent: 'editor' });
  expect(asked).toEqual([
    { kind: 'spawn_teammate', name: 'bob', role: 'coder' },
    { kind: 'spawn_teammate', name: 'carol', agent: 'editor' },
  ]);
});

test('a lead reads which agents it may spawn', () => {
  const about = (spawns?: string[]) => {
    const { description } = toolNamed('spawn_teammate');
    return typeof description === 'function' ? description({ ...CALLER, member: { isLead: true, ...(spawns ? { spawns } : {}) } }) : '';
  };
  expect(about(['writer', 'editor'])).toMatch(/Agents: writer, editor\.$/);
  expect(about()).toMatch(/Agents: none/);
});

test.each(['', 'lead', 'a b', 'x'.repeat(41), '-x'])('refuses to spawn "%s"', async (name) => {
  const { calls, asked } = boardBench({ me: { isLead: true, spawns: ['writer'] } });
  expect(await calls('spawn_teammate', { name })).toMatchObject({ refused: true });
  expect(asked).toEqual([]);
});

test('the id tells whether a plan or a request to shut down is meant', async () => {
  const member = boardBench();
  await member.calls('submit_plan', { plan: 'First this' });
  const [request] = member.asked;
  if (request?.kind !== 'submit_plan') throw new Error('no plan');
  expect(request.message).toMatchObject({ type: 'plan_approval', from: 'alice', to: 'lead', content: 'First this' });
  const { requestId = '' } = request.message;
  expect(await member.calls('answer_request', { request_id: requestId, approve: true })).toMatchObject({ refused: true });
  const lead = boardBench({ me: { isLead: true } });
  await lead.calls('answer_request', { request_id: requestId, approve: false, reason: 'too long' });
  await lead.calls('answer_request', { request_id: 'board-1', approve: true });
  expect(lead.sent).toMatchObject([
    { type: 'plan_approval_response', requestId, approved: false, content: 'too long' },
    { type: 'shutdown_response', requestId: 'board-1', approved: true },
  ]);
});

test('the lead asks a member to shut down', async () => {
  const { calls, sent } = boardBench({ me: { isLead: true } });
  await calls('request_shutdown', { name: 'bob' });
  expect(sent).toMatchObject([{ type: 'shutdown_request', to: 'bob' }]);
  expect(await calls('request_shutdown', { name: 'carol' })).toMatchObject({ refused: true });
});
