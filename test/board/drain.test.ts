import { member, opened, task } from './board';

/** A team that is to end: who is idle leaves at once, and who works answers, or ends its WORK. */

const TEAM = [member('lead', { isLead: true }), member('alice'), member('bob')];
const STOPPED = { until: 'stopped' } as const;

test('members that are idle shut down at once: no WORK begins for the request, and the team is stopped', () => {
  const it = opened(TEAM, [], STOPPED);
  it.end('lead');
  expect(it.statuses()).toEqual({ lead: 'idle', alice: 'idle', bob: 'idle' });
  expect(it.tell({ kind: 'drain', by: 'fran' })).toEqual(['over done']);
  expect(it.state).toMatchObject({ requests: [], works: 1 });
  expect(it.notes()).toContainEqual({ event: 'shutdown', member: 'bob', reason: expect.stringContaining('the team ends') });
});

test('one that works is asked, and leaves when its WORK ends, whether it has answered or not', () => {
  const it = opened(TEAM.slice(1), [task('a'), task('b')], STOPPED);
  expect(it.tell({ kind: 'drain', by: 'fran' })).toEqual([]);
  expect(it.state.requests).toMatchObject([
    { to: 'alice', status: 'pending' },
    { to: 'bob', status: 'pending' },
  ]);
  it.complete('alice', 1);
  it.end('alice');
  expect(it.statuses()).toEqual({ alice: 'shutdown', bob: 'working' });
  const [, ofBob] = it.state.requests;
  it.respond('bob', ofBob!.id, false);
  it.complete('bob', 2);
  expect(it.end('bob')).toEqual(['over done']);
  expect(it.state.requests.map(({ status }) => status)).toEqual(['approved', 'rejected']);
});

test('one that ends its WORK with its task open is reminded before it leaves, and is not cut off', () => {
  const it = opened([member('alice')], [task('a')], STOPPED);
  it.tell({ kind: 'drain', by: 'fran' });
  expect(it.end('alice')).toEqual(['alice reminder 1']);
  it.complete('alice', 1);
  expect(it.end('alice')).toEqual(['over done']);
});

test('one that never answers is ended in time, and its task loses no attempt', () => {
  const it = opened([member('alice'), member('bob')], [task('a')], STOPPED);
  it.tell({ kind: 'drain', by: 'fran' });
  const [{ id } = { id: '' }] = it.state.requests;
  it.wait(299_999).tell({ kind: 'request-overdue', requestId: id });
  expect(it.statuses()).toEqual({ alice: 'working', bob: 'shutdown' });
  expect(it.wait(1).tell({ kind: 'request-overdue', requestId: id })).toEqual(['cut alice', 'over stopped']);
  expect(it.task(1)).toMatchObject({ status: 'pending', attempt: 0 });
});

test.each([
  ['waits for the next run of a standing team', 'stopped', ['bob: later']],
  ['comes back to who has sent it, if there is none', 'idle', []],
] as const)('what a member has not read when it leaves %s', (_, until, left) => {
  const it = opened([member('alice'), member('bob')], [task('a'), task('b')], { until });
  it.tell({ kind: 'drain', by: 'fran' });
  it.send('bob', 'alice', 'later');
  it.complete('alice', 1);
  it.end('alice');
  expect(it.inbox('alice').filter((text) => !text.startsWith('(board)'))).toEqual(left);
  expect(it.inbox('bob').filter((text) => text.includes('not delivered'))).toHaveLength(1 - left.length);
});
