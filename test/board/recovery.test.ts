import { member, opened, PROMPT, task } from './board';

/** In a team that goes on, a member whose model service was away comes back by itself, for a bounded number of times. */

const MINUTE_MS = 60_000;
const team = (...[members, tasks, limits]: Parameters<typeof opened>) =>
  opened(members, tasks, { until: 'stopped', takesAnyRole: true, ...limits });
const away = (it: ReturnType<typeof opened>, name: string, code = 'model.api-error') =>
  it.tell({ kind: 'work-failed', member: name, code, reason: 'the service cannot be reached' });
const back = (it: ReturnType<typeof opened>, name: string) => it.tell({ kind: 'comes-back', member: name });

test('it fails, its task goes back without an attempt used, and a minute later it begins again', () => {
  const it = team([member('alice')], [task('a')]);
  away(it, 'alice');
  expect(it.member('alice')).toMatchObject({ status: 'failed', backMs: MINUTE_MS, reason: expect.stringContaining('model.api-error') });
  expect(it.task('a')).toMatchObject({ status: 'pending', attempt: 0 });
  back(it.wait(MINUTE_MS - 1), 'alice');
  expect(it.member('alice').status).toBe('failed');
  expect(back(it.wait(1), 'alice')).toEqual(['alice task 1']);
  expect(it.member('alice').reason).toBeUndefined();
  it.complete('alice', 1);
  it.end('alice');
  expect(it.member('alice')).not.toHaveProperty('failures');
});

test('what it has not read, and its first prompt, are there when it comes back', () => {
  const it = team([member('alice', { prompt: PROMPT }), member('bob')], []);
  it.send('bob', 'alice', 'mind the licence');
  away(it, 'alice');
  expect(it.member('alice').inbox).toHaveLength(1);
  back(it.wait(MINUTE_MS), 'alice');
  expect(it.member('alice').work).toMatchObject({ begins: 'spawn', messages: [expect.any(String)] });
});

test('the pauses double, and after six of them it stays failed until somebody starts it again', () => {
  const it = team([member('alice')], [task('a')]);
  const pauses: number[] = [];
  for (;;) {
    away(it, 'alice');
    const { backMs } = it.member('alice');
    if (backMs === undefined) break;
    pauses.push((backMs - it.atMs) / MINUTE_MS);
    back(it.wait(backMs - it.atMs), 'alice');
    expect(it.member('alice').status).toBe('working');
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32]);
  expect(it.task('a')).toMatchObject({ status: 'pending', attempt: 1 });
  it.tell({ kind: 'spawn', by: 'fran', member: { name: 'alice' } });
  expect(it.member('alice').status).toBe('working');
  away(it, 'alice');
  expect(it.member('alice').backMs).toBe(it.atMs + MINUTE_MS);
});

test('a task with which the service always fails is held in the end, although other work goes well', () => {
  const it = team([member('alice')], [task('a')]);
  for (let time = 0; it.task('a').status !== 'held'; time++) {
    if (time > 20) throw new Error('it is tried for ever');
    away(it, 'alice');
    back(it.wait(MINUTE_MS), 'alice');
    // Something else goes well before the next try.
    it.member('alice').failures = 0;
  }
  expect(it.task('a')).toMatchObject({ status: 'held', spared: 6, attempt: 3 });
});

test.each([
  ['another failure', 'model.unauthorized', {}],
  ['a board that ends by itself', 'model.api-error', { until: 'idle' as const }],
])('%s: it stays failed, and the attempt counts', (_, code, limits) => {
  const it = team([member('alice'), member('bob')], [task('a')], limits);
  away(it, 'alice', code);
  expect(it.member('alice')).not.toHaveProperty('backMs');
  expect(it.task('a')).toMatchObject({ owner: 'bob', attempt: 2 });
});

test('nobody comes back into a team that drains, and the next run begins with everybody', () => {
  const it = team([member('alice'), member('bob', { prompt: PROMPT })], [task('a')]);
  away(it, 'alice');
  it.tell({ kind: 'drain', by: 'fran' });
  expect(back(it.wait(MINUTE_MS), 'alice')).toEqual([]);
  expect(it.member('alice').status).toBe('failed');
  it.end('bob');
  for (const { id, to } of [...it.state.requests]) it.respond(to, id, true);
  expect(it.state.over).toBe('stopped');
  it.tell({ kind: 'taken-up', limits: it.state.limits, members: [member('alice'), member('bob')], tasks: [] });
  expect(it.member('alice')).toMatchObject({ status: 'working' });
  expect(it.member('alice')).not.toHaveProperty('failures');
});
