import { member, opened, task } from './board';

/** The seed's three cases, its idle table at the instant, and who gets which task. */

test('three tasks, two teammates: all are claimed without assignment', () => {
  const it = opened([member('alice'), member('bob')], [task('a'), task('b'), task('c')]);
  expect(it.begun).toEqual(['alice task 1', 'bob task 2']);
  expect(it.task(1)).toMatchObject({ owner: 'alice', status: 'in_progress', claimedAtMs: 0, claimSource: 'auto' });
  it.wait(1000).complete('bob', 2);
  expect(it.end('bob')).toEqual(['bob task 3']);
  it.complete('alice', 1);
  expect(it.end('alice')).toEqual([]);
  it.complete('bob', 3);
  it.wait(1000).end('bob');
  it.wait(59_000);
  it.idleOver('alice');
  expect(it.statuses()).toEqual({ alice: 'shutdown', bob: 'idle' });
  it.wait(1000);
  expect(it.idleOver('bob')).toEqual(['over done']);
});

test('one coder finds work by itself', () => {
  const it = opened([member('lead', { isLead: true })], [task('a')]);
  expect(it.begun).toEqual(['lead board']);
  it.spawn('lead', 'cody');
  expect(it.owners()).toEqual(['a @cody']);
  expect(it.member('cody').work).toEqual({ number: 2, begins: 'task', task: 1 });
});

test('the blocked order holds', () => {
  const it = opened([member('alice'), member('bob')], [task('c', { blockedBy: ['b'] }), task('b', { blockedBy: ['a'] }), task('a')]);
  expect(it.begun).toEqual(['alice task 3']);
  it.complete('alice', 'a');
  expect(it.owners()).toEqual(['b @bob']);
  expect(it.end('alice')).toEqual([]);
  it.complete('bob', 'b');
  expect(it.owners()).toEqual(['c @alice']);
});

describe('a member that is idle', () => {
  const idle = () => {
    const it = opened([member('alice'), member('bob', { prompt: { sha256: 'a'.repeat(64), sizeBytes: 1, mediaType: 'text/plain' } })], []);
    expect(it.statuses()).toEqual({ alice: 'idle', bob: 'working' });
    return it;
  };

  test.each([
    ['59,999 ms', 59_999, 'idle'],
    ['60,000 ms', 60_000, 'shutdown'],
    ['60,001 ms', 60_001, 'shutdown'],
  ])('after %s is %3$s', (_, ms, status) => {
    const it = idle().wait(ms);
    it.idleOver('alice');
    expect(it.member('alice').status).toBe(status);
  });

  test('takes what comes when it comes, and idles for as long again after each WORK', () => {
    const it = idle().wait(59_999);
    expect(it.send('bob', 'alice')).toEqual(['alice inbox']);
    it.end('alice');
    it.wait(59_999).idleOver('alice');
    expect(it.member('alice').status).toBe('idle');
    it.create('bob', task('new'));
    expect(it.owners()).toEqual(['new @alice']);
  });

  test('takes its inbox before the board', () => {
    const it = idle();
    it.spawn('alice', 'x');
    it.send('bob', 'alice', 'first');
    it.create('bob', task('a'));
    it.send('bob', 'alice', 'second');
    expect(it.end('alice')).toEqual(['alice inbox']);
    expect(it.inbox('alice')).toEqual(['bob: second']);
    expect(it.end('alice')).toEqual(['alice task 1']);
  });

  test('gets nothing after its 60 s', () => {
    const it = idle().wait(60_000);
    it.idleOver('alice');
    it.send('bob', 'alice');
    expect(it.member('alice')).toMatchObject({ status: 'shutdown', inbox: [] });
    expect(it.inbox('bob')[0]).toContain('alice has shut down');
  });

  test('an early or late moment that finds it at work changes nothing', () => {
    const it = idle().wait(60_000);
    it.idleOver('bob');
    it.idleOver('nobody');
    expect(it.member('bob').status).toBe('working');
  });
});

test('tasks go by priority, then by number: 10 comes after 2', () => {
  const it = opened([member('alice')], [...Array.from({ length: 10 }, (_, i) => task(`t${i + 1}`)), task('urgent', { priority: -1 })]);
  const order = [it.owners()[0]];
  for (let i = 0; i < 10; i++) {
    it.complete('alice', it.state.tasks.find(({ status }) => status === 'in_progress')!.number);
    it.end('alice');
    order.push(it.owners()[0]);
  }
  expect(order).toEqual(['urgent', ...Array.from({ length: 10 }, (_, i) => `t${i + 1}`)].map((name) => `${name} @alice`));
});

test('the one that has been idle longest is served first', () => {
  const it = opened([member('lead', { isLead: true }), member('alice'), member('bob'), member('cleo')], []);
  it.send('lead', 'alice');
  it.wait(10).end('alice');
  it.create('lead', task('a'));
  it.create('lead', task('b'));
  it.create('lead', task('c'));
  expect(it.owners()).toEqual(['a @bob', 'b @cleo', 'c @alice']);
});

test('a task with a role goes to a member with it, and one without to anybody', () => {
  const tasks = [task('ui', { requiredRole: 'painter' }), task('api', { requiredRole: 'coder' }), task('any')];
  const it = opened([member('cody', { role: 'coder' }), member('pat', { role: 'painter' }), member('plain')], tasks);
  expect(it.begun).toEqual(['cody task 2', 'pat task 1', 'plain task 3']);
});

test('a lead claims nothing by itself, and stays for as long as others live', () => {
  const it = opened([member('lead', { isLead: true }), member('alice')], [task('a')]);
  it.end('lead');
  it.wait(100_000).idleOver('lead');
  expect(it.statuses()).toEqual({ lead: 'idle', alice: 'working' });
  it.complete('alice', 1);
  it.end('alice');
  it.wait(60_000).idleOver('alice');
  it.wait(59_999).idleOver('lead');
  expect(it.member('lead').status).toBe('idle');
  expect(it.wait(1).idleOver('lead')).toEqual(['over done']);
});
