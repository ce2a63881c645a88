import { ClientProblem } from '../../../client/client-problem';
import type { SignalReceipt } from '../../../plan/run/signal';
import { type Bench, bench, byReceiver, bySender, HOOK_SECRET, NOW, refusedAs, type Sent } from './listener';

/** Tasks for teams that run by themselves, from programs that sign them. */
let at: Bench;
afterEach(() => at.close());

const settings = { teams: { crew: HOOK_SECRET, others: HOOK_SECRET } };
const TASK = JSON.stringify({ subject: 'Look at issue 17', required_role: 'triager', blocked_by: [3, 'parser'], priority: 2 });

/** A board that numbers its tasks, and knows the keys that it has seen. */
async function crew(): Promise<Sent[]> {
  const [sent, keys]: [Sent[], string[]] = [[], []];
  const decide = async (run: string, name: Sent['name'], payload: Sent['payload']): Promise<SignalReceipt> => {
    sent.push({ run, name, payload });
    const { key } = payload as { key?: string };
    const known = keys.indexOf(key ?? '') + 1;
    if (known > 0) return { outcome: 'duplicate', step: 'crew', task: known };
    return { outcome: 'applied', step: 'crew', task: keys.push(key ?? '') };
  };
  at = await bench({ settings, ports: { decide } });
  return sent;
}

/** A board, or a run, that answers with a failure. */
async function failing(failure: Error): Promise<void> {
  at = await bench({ settings, ports: { decide: () => Promise.reject(failure) } });
}

const post = (body = TASK, headers = bySender(body, 'crew', 'issue-17'), team = 'crew'): Promise<Response> =>
  at.post(`/team/${team}`, body, headers);

test('a signed task is put on the board of the team, and the answer has its number', async () => {
  const sent = await crew();
  const response = await post();
  expect([response.status, await response.json()]).toEqual([202, { team: 'crew', run: 'team-crew', task: 1 }]);
  const payload = { ...(JSON.parse(TASK) as object), by: 'a web hook', key: 'issue-17' };
  expect(sent).toEqual([{ run: 'team-crew', name: 'task', payload }]);
});

test('sent again with the same key it is the same task, and says so', async () => {
  await crew();
  await post();
  const again = await post(TASK, bySender(TASK, 'crew', 'issue-17', NOW + 1_000));
  expect([again.status, await again.json()]).toEqual([202, { team: 'crew', run: 'team-crew', task: 1, again: true }]);
  const other = await post(TASK, bySender(TASK, 'crew', 'issue-18'));
  expect(await other.json()).toEqual({ team: 'crew', run: 'team-crew', task: 2 });
});

test('before the board of the team is open it is kept, and has no number yet', async () => {
  at = await bench({ settings, ports: { decide: async () => ({ outcome: 'early' }) } });
  const response = await post();
  expect([response.status, await response.json()]).toEqual([202, { team: 'crew', run: 'team-crew', kept: true }]);
});

test('the very same message again is refused', async () => {
  const sent = await crew();
  await post();
  expect([(await post()).status, sent.length]).toEqual([409, 1]);
});

test.each([
  ['forged', bySender(TASK, 'crew', 'issue-17', NOW, 'guess')],
  ['unsigned', { 'content-type': 'application/json', 'idempotency-key': 'issue-17' }],
  ['too old', bySender(TASK, 'crew', 'issue-17', NOW - 301_000)],
  ['from the future', bySender(TASK, 'crew', 'issue-17', NOW + 301_000)],
  ['given another key on the way', { ...bySender(TASK, 'crew', 'issue-17'), 'idempotency-key': 'issue-18' }],
  ['given another time on the way', { ...bySender(TASK, 'crew', 'issue-17'), 'thermidor-timestamp': String(NOW / 1000 + 1) }],
  ['signed for another team', bySender(TASK, 'others', 'issue-17')],
  ['signed as an answer to a gate', { ...byReceiver(TASK), 'idempotency-key': 'issue-17' }],
])('a task that is %s is refused', async (_what, headers) => {
  const sent = await crew();
  expect([(await post(TASK, headers)).status, sent]).toEqual([401, []]);
});

test('a task may ask for a worktree of its own', async () => {
  const sent = await crew();
  const body = JSON.stringify({ subject: 'a', worktree: true });
  expect((await post(body, bySender(body, 'crew', 'k'))).status).toBe(202);
  expect(sent).toMatchObject([{ payload: { worktree: true } }]);
});

test('a body that was changed on the way is refused', async () => {
  const sent = await crew();
  expect([(await post(TASK.replace('17', '18'), bySender(TASK, 'crew', 'issue-17'))).status, sent]).toEqual([401, []]);
});

test.each([
  ['what is no JSON', 'nonsense'],
  ['JSON that is no object', '[]'],
  ['no subject', '{"description": "x"}'],
  ['a subject of several lines', JSON.stringify({ subject: 'a\nb' })],
  ['a priority that is none', JSON.stringify({ subject: 'a', priority: 'soon' })],
  ['a path for a worktree', JSON.stringify({ subject: 'a', worktree: '../main' })],
  ['a number for a name', JSON.stringify({ subject: 'a', name: 3 })],
  ['who sends it', JSON.stringify({ subject: 'a', by: 'lead' })],
  ['another board', JSON.stringify({ subject: 'a', step: 'other' })],
  ['another key', JSON.stringify({ subject: 'a', key: 'b' })],
  ['a name of JavaScript’s own', '{"subject": "a", "__proto__": {}}'],
])('a task that says %s is refused', async (_what, body) => {
  const sent = await crew();
  const response = await post(body, bySender(body, 'crew', 'k'));
  expect([response.status, sent]).toEqual([400, []]);
});

test.each([
  ['none', undefined],
  ['one with spaces', 'a b'],
  ['one that is too long', 'k'.repeat(201)],
])('a task needs a key: %s', async (_what, key) => {
  const sent = await crew();
  const { 'idempotency-key': _, ...others } = bySender(TASK, 'crew', key ?? '');
  const response = await post(TASK, key === undefined ? others : { ...others, 'idempotency-key': key });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
  expect(sent).toEqual([]);
});

test.each(['nobody', 'constructor', '__proto__', '%2e%2e', 'CREW'])('a team that is not listed takes nothing: %s', async (team) => {
  const sent = await crew();
  const response = await post(TASK, bySender(TASK, decodeURIComponent(team), 'k'), team);
  expect([response.status, sent]).toEqual([404, []]);
});

test('without teams in the settings nothing is taken', async () => {
  at = await bench();
  expect([(await post()).status, at.decided]).toEqual([404, []]);
});

test('a body larger than 64 KiB is refused unread', async () => {
  const sent = await crew();
  const body = JSON.stringify({ subject: 'a', description: 'x'.repeat(64 * 1024) });
  expect([(await post(body, bySender(body, 'crew', 'k'))).status, sent]).toEqual([413, []]);
});

test.each([
  ['does not run', new ClientProblem('run.ended', 'run "team-crew" has ended'), 503, '60'],
  ['has never run', new ClientProblem('run.not-found', 'no run'), 503, '60'],
  ['has not begun', refusedAs('early'), 503, '60'],
  ['has ended', refusedAs('late'), 503, '60'],
  ['has no worker', new ClientProblem('worker.missing', 'nobody at 10.0.0.7'), 503, '10'],
  ['has no server', new ClientProblem('server.unreachable', 'no server at 10.0.0.7'), 503, '10'],
  ['cannot store it now', refusedAs('unavailable'), 503, '10'],
  ['is another run', refusedAs('misdirected'), 404, null],
  ['is of another version', refusedAs('unreadable'), 400, null],
])('a team that %s', async (_what, failure, status, retry) => {
  await failing(failure);
  const response = await post();
  expect([response.status, response.headers.get('retry-after')]).toEqual([status, retry]);
  expect(await response.text()).not.toMatch(/10\.0\.0\.7|nothing was changed| at .*:\d+:\d+/);
});

test('a task that nobody took can be sent again as it is', async () => {
  let isAway = true;
  const decide = async (): Promise<SignalReceipt> => {
    if (isAway) throw new ClientProblem('server.unreachable', 'away');
    return { outcome: 'applied', task: 4 };
  };
  at = await bench({ settings, ports: { decide } });
  expect((await post()).status).toBe(503);
  isAway = false;
  expect(await (await post()).json()).toEqual({ team: 'crew', run: 'team-crew', task: 4 });
});

test('what the board does not take is refused with its reason, and recorded without the secret', async () => {
  const reason = 'cycle (chain: a → b → a): these tasks wait for each other';
  await failing(new ClientProblem('signal.refused', reason, { details: { outcome: 'refused', gates: [] } }));
  const headers = bySender(TASK, 'crew', 'issue-17');
  const response = await post(TASK, headers);
  const text = await response.text();
  expect([response.status, JSON.parse(text)]).toEqual([422, { error: { status: 422, message: reason } }]);
  expect((await post(TASK, bySender(TASK, 'crew', 'k', NOW, 'guess'))).status).toBe(401);
  await at.listener.close();
  expect(at.refused()).toMatchObject([
    { status: 422, reason, way: 'team', from: 'team:crew', by: 'a web hook' },
    { status: 401, way: 'team', from: '127.0.0.1' },
  ]);
  const seen = text + JSON.stringify(at.refused()) + at.warnings.join();
  for (const hidden of [HOOK_SECRET, headers['thermidor-signature'] ?? '', 'issue-17']) expect(seen).not.toContain(hidden);
});

test('a bug is no one’s business outside', async () => {
  await failing(new TypeError('secret detail'));
  const response = await post();
  expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('secret detail')]);
});

test('each team has a rate of its own, which forged tasks do not use up', async () => {
  const sent: string[] = [];
  const decide = async (run: string): Promise<SignalReceipt> => ({ outcome: 'applied', task: sent.push(run) });
  at = await bench({ settings: { ...settings, rate: 1 }, ports: { decide } });
  for (const status of [401, 429]) expect((await post(TASK, bySender(TASK, 'crew', 'k', NOW, 'guess'))).status).toBe(status);
  const statuses: number[] = [];
  for (const team of ['crew', 'crew', 'others'])
    statuses.push((await post(TASK, bySender(TASK, team, 'k', NOW + sent.length), team)).status);
  expect([statuses, sent]).toEqual([
    [202, 429, 202],
    ['team-crew', 'team-others'],
  ]);
});
