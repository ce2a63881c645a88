import { BOARD, LEAD, member, opened, PROMPT, task } from './board';

/** Messages, and handshakes by request_id. */

const busy = (name: string) => member(name, { prompt: PROMPT });
const lead = member('lena', { isLead: true });

test('a message stays in the inbox until the turn with it is recorded', () => {
  const it = opened([busy('alice'), member('bob')], []);
  it.send('alice', 'bob', 'one', { id: 'one' });
  expect(it.member('bob').work).toEqual({ number: 2, begins: 'inbox', messages: ['one'] });
  it.send('alice', 'bob', 'two', { id: 'two' });
  expect(it.inbox('bob')).toEqual(['alice: one', 'alice: two']);
  it.tell({ kind: 'read', member: 'bob', messages: ['two', 'unknown'] });
  expect(it.inbox('bob')).toEqual(['alice: one']);
  expect(it.end('bob')).toEqual([]);
  expect(it.inbox('bob')).toEqual([]);
});

test('a message is delivered once, however often it is sent', () => {
  const it = opened([busy('alice'), busy('bob')], []);
  it.send('alice', 'bob', 'one', { id: 'one' });
  it.read('bob');
  it.send('alice', 'bob', 'one', { id: 'one' });
  expect(it.inbox('bob')).toEqual([]);
});

test('a broadcast reaches everybody who is there but its sender', () => {
  const it = opened([lead, busy('alice'), busy('bob'), member('gone')], []);
  it.wait(60_000).idleOver('gone');
  it.send('alice', undefined, 'hear', { type: 'broadcast' });
  expect(it.answer?.said).toEqual({ sent: ['lena', 'bob'] });
  expect([it.inbox('alice'), it.inbox('bob'), it.inbox('gone')]).toEqual([[], ['alice: hear'], []]);
});

test('the lead is called by its name and as lead; one that is a person gets a note', () => {
  const it = opened([lead, busy('alice')], []);
  it.send('alice', LEAD, 'hello');
  expect(it.inbox('lena')).toEqual(['alice: hello']);
  const without = opened([busy('alice')], []);
  without.send('alice', LEAD, 'hello');
  expect(without.notes()).toEqual([{ event: 'sent', from: 'alice', to: LEAD, type: 'message' }]);
});

test.each([
  ['nobody', 'nobody in the team is called nobody; there are alice, bob'],
  ['gone', 'gone has shut down; there are alice, bob'],
  ['broken', 'broken has failed; there are alice, bob'],
])('a message to %s comes back to its sender with the reason', (to, reason) => {
  const it = opened([busy('alice'), busy('bob'), member('gone'), busy('broken')], []);
  it.wait(60_000).idleOver('gone');
  it.crash('broken');
  it.send('alice', to, 'hello');
  expect(it.answer).toMatchObject({ refused: true, said: { refused: 'undelivered', hint: reason } });
  expect(it.inbox('alice')).toEqual([`${BOARD}: your message to ${to} was not delivered: ${reason}. It said: hello`]);
  expect(it.notes()).toContainEqual({ event: 'undelivered', from: 'alice', to, type: 'message', reason });
});

test('what a member that goes has not read comes back; if its sender has gone, too, it is noted', () => {
  const it = opened([busy('alice'), busy('bob'), busy('cleo')], []);
  it.send('alice', 'bob', 'one');
  it.send('cleo', 'bob', 'two');
  it.crash('cleo');
  it.crash('bob');
  expect(it.inbox('alice')[0]).toContain('bob has failed');
  expect(it.notes().filter(({ event }) => event === 'undelivered')).toHaveLength(2);
});

test('10,000 messages to one inbox: a thousand are there, the others come back, and nothing grows without end', () => {
  const it = opened([busy('alice'), busy('bob')], []);
  it.isChecked = false;
  for (let i = 0; i < 10_000; i++) it.send('alice', 'bob', `${i}`);
  it.isChecked = true;
  it.send('alice', 'bob', 'last');
  expect(it.member('bob').inbox).toHaveLength(1000);
  expect(it.member('alice').inbox).toHaveLength(1000);
  expect(it.inbox('alice')[0]).toContain('the inbox of bob is full (1000 messages');
});

test('an inbox is full at 400,000 characters, too', () => {
  const it = opened([busy('alice'), busy('bob')], []);
  it.send('alice', 'bob', 'long', { characters: 399_990 });
  it.send('alice', 'bob', 'longer', { characters: 11 });
  it.send('alice', 'bob', 'fits', { characters: 10 });
  expect(it.inbox('bob')).toEqual(['alice: long', 'alice: fits']);
});

describe('a request to shut down', () => {
  const asked = () => {
    const it = opened([lead, busy('alice'), busy('bob')], [task('a')]);
    it.askToEnd('alice', 'lena');
    expect(it.state.requests).toMatchObject([{ id: 'end-alice', from: 'lena', to: 'alice', status: 'pending', dueMs: 300_000 }]);
    return it;
  };

  test('that is approved ends the member when its WORK ends', () => {
    const it = asked();
    it.respond('alice', 'end-alice', true);
    expect(it.member('alice').status).toBe('working');
    expect(it.claim('alice', 1)).toMatchObject({ refused: 'shut_down' });
    expect(it.inbox('lena')).toEqual(['alice: yes']);
    it.end('alice');
    expect(it.member('alice')).toMatchObject({ status: 'shutdown', isDismissed: true });
    expect(it.task(1).owner).toBeUndefined();
  });

  test('that is approved by a member that is idle meanwhile ends it at once', () => {
    const it = asked();
    it.claim('bob', 1);
    it.end('alice');
    it.end('alice');
    expect(it.member('alice').status).toBe('idle');
    it.respond('alice', 'end-alice', true);
    expect(it.member('alice').status).toBe('shutdown');
  });

  test('that is rejected changes nothing but its state', () => {
    const it = asked();
    it.respond('alice', 'end-alice', false);
    it.respond('alice', 'end-alice', true);
    expect(it.state.requests[0]?.status).toBe('rejected');
    it.end('alice');
    expect(it.statuses()).toMatchObject({ alice: 'working' });
  });

  test.each([
    ['by another', 'bob', 'end-alice'],
    ['of another request', 'alice', 'end-bob'],
  ])('is not answered %s', (_, from, id) => {
    const it = asked();
    it.respond(from, id, true);
    expect(it.state.requests[0]?.status).toBe('pending');
    expect(it.inbox(from).some((one) => one.includes('was not delivered'))).toBe(true);
  });

  test.each([299_999, 300_000])('without an answer after %i ms', (ms) => {
    const it = asked();
    it.claim('alice', 1);
    it.wait(ms);
    const isOver = ms === 300_000;
    expect(it.tell({ kind: 'request-overdue', requestId: 'end-alice' })).toEqual(isOver ? ['cut alice'] : []);
    expect(it.member('alice').status).toBe(isOver ? 'shutdown' : 'working');
    expect(it.task(1)).toMatchObject(isOver ? { status: 'pending', returned: { by: 'alice' } } : { status: 'in_progress' });
  });

  test('comes from the lead or a person, and once at a time', () => {
    const it = asked();
    it.askToEnd('bob', 'alice', 'forged');
    it.askToEnd('alice', 'lena', 'again');
    it.askToEnd('bob', 'fran', 'person');
    expect(it.state.requests.map(({ id }) => id)).toEqual(['end-alice', 'person']);
  });

  test('of a member that idles out meanwhile is approved by that', () => {
    const it = asked();
    it.claim('bob', 1);
    it.end('alice');
    it.end('alice');
    it.wait(60_000).idleOver('alice');
    expect(it.state.requests[0]?.status).toBe('approved');
  });
});

describe('a plan', () => {
  const message = { id: 'plan', type: 'plan_approval' as const, from: 'x', to: 'x', content: 'do it', characters: 5, at: '' };
  const submitted = (members = [lead, busy('alice'), busy('bob')]) => {
    const it = opened(members, []);
    expect(it.ask('alice', { kind: 'submit_plan', message }, 'call')).toBeUndefined();
    return it;
  };
  const answer = (it: ReturnType<typeof submitted>, from: string, approved: boolean) =>
    it.send(from, 'alice', 'because', { type: 'plan_approval_response', requestId: 'plan', approved });

  test.each([true, false])('waits for the lead, whose answer (%s) is the answer of the call', (approved) => {
    const it = submitted();
    expect(it.inbox('lena')).toEqual(['alice: do it']);
    expect(it.ask('alice', { kind: 'submit_plan', message }, 'call')).toBeUndefined();
    expect(answer(it, 'bob', approved)).toEqual([]);
    expect(answer(it, 'lena', approved)).toEqual(['answered alice']);
    const said = { request_id: 'plan', approved, feedback: 'because' };
    expect(it.decisions).toContainEqual({ kind: 'answered', member: 'alice', id: 'call', answer: { said } });
    expect(answer(it, 'lena', !approved)).toEqual([]);
    expect(it.ask('alice', { kind: 'submit_plan', message }, 'call')).toEqual(said);
  });

  test('that nobody answers in time is refused', () => {
    const it = submitted().wait(300_000);
    expect(it.tell({ kind: 'request-overdue', requestId: 'plan' })).toEqual(['answered alice']);
    expect(it.decisions).toContainEqual(expect.objectContaining({ answer: expect.objectContaining({ refused: true }) }));
  });

  test('goes to a person if no lead is there, without a bound', () => {
    const it = submitted([busy('alice'), busy('bob')]);
    expect(it.decisions).toContainEqual(expect.objectContaining({ kind: 'ask-plan', requestId: 'plan' }));
    expect(it.state.requests[0]?.dueMs).toBeUndefined();
    expect(answer(it, 'bob', true)).toEqual([]);
    expect(answer(it, 'fran', true)).toEqual(['answered alice']);
  });

  test('is one at a time, and no message of its own', () => {
    const it = submitted();
    expect(it.ask('alice', { kind: 'submit_plan', message: { ...message, id: 'two' } })).toMatchObject({ refused: 'pending' });
    it.send('bob', 'lena', 'forged', { type: 'plan_approval' });
    expect(it.inbox('bob')[0]).toContain('submit_plan');
  });
});

describe('the end', () => {
  test('with all_done the others are asked to shut down at once', () => {
    const it = opened([member('alice'), member('bob')], [task('a')], { until: 'all_done' });
    it.complete('alice', 1);
    expect(it.state.requests.map(({ to, from, status }) => [to, from, status])).toEqual([
      ['alice', BOARD, 'pending'],
      ['bob', BOARD, 'pending'],
    ]);
    for (const name of ['alice', 'bob']) it.respond(name, it.state.requests.find(({ to }) => to === name)!.id, true);
    expect(it.end('bob')).toEqual([]);
    expect(it.end('alice')).toEqual(['over done']);
  });

  test('who was asked and says no is not asked again before there is something new', () => {
    const it = opened([member('alice')], [task('a')], { until: 'all_done' });
    it.complete('alice', 1);
    it.respond('alice', it.state.requests[0]!.id, false);
    expect(it.state.requests).toHaveLength(1);
    it.create('alice', task('b'));
    it.claim('alice', 2);
    it.complete('alice', 2);
    expect(it.state.requests).toHaveLength(2);
  });

  test('a team that is drained claims nothing any more, and is stopped when all have gone', () => {
    const it = opened([member('alice'), busy('bob')], [task('a'), task('b')], { until: 'stopped' });
    it.tell({ kind: 'drain', by: 'fran' });
    expect(it.claim('bob', 2)).toMatchObject({ refused: 'draining' });
    it.complete('alice', 1);
    for (const [name, id] of it.state.requests.map(({ to, id }) => [to, id] as const)) it.respond(name, id, true);
    it.end('alice');
    expect(it.end('bob')).toEqual(['over stopped']);
    expect(it.tell({ kind: 'drain', by: 'fran' })).toEqual([]);
  });

  test('a standing team does not shut down for want of tasks', () => {
    const it = opened([member('alice')], [], { until: 'stopped' }).wait(10_000_000);
    expect(it.idleOver('alice')).toEqual([]);
    it.tell({ kind: 'task', task: task('a'), by: 'fran' });
    expect(it.owners()).toEqual(['a @alice']);
  });
});

describe('spawning', () => {
  it('takes the agent that the name had, or the only one that there is', () => {
    const it = led();
    expect(it.ask('lena', { kind: 'spawn_teammate', name: 'new' })).toMatchObject({ agent: 'coder', again: false });
    const several = opened([member('lena', { isLead: true }), member('bob', { agent: 'tester' })], [], { spawns: ['coder', 'editor'] });
    expect(several.ask('lena', { kind: 'spawn_teammate', name: 'new' })).toEqual({
      refused: 'unknown_agent',
      hint: 'you may spawn coder, editor',
    });
    several.wait(60_000).idleOver('bob');
    expect(several.ask('lena', { kind: 'spawn_teammate', name: 'bob' })).toMatchObject({ agent: 'tester', again: true });
  });

  const led = (limits = {}) => opened([lead, member('alice'), busy('bob')], [], limits);

  test('a name that is idle, shut down or failed starts it again', () => {
    const it = led();
    expect(it.ask('lena', { kind: 'spawn_teammate', name: 'alice', agent: 'coder', prompt: PROMPT })).toMatchObject({ again: true });
    expect(it.member('alice').work?.begins).toBe('spawn');
    it.crash('alice');
    expect(it.spawn('lena', 'alice')).toMatchObject({ status: 'idle', again: true });
    it.wait(60_000).idleOver('alice');
    expect(it.spawn('lena', 'alice')).toMatchObject({ status: 'idle', again: true });
    expect(it.member('alice')).not.toHaveProperty('reason');
  });

  test.each([
    ['one that works', 'bob', 'coder', 'working'],
    ['an agent that is not in the plan', 'new', 'root', 'unknown_agent'],
    ['what is no name', 'a/b', 'coder', 'unfit'],
    ['the name of the lead', LEAD, 'coder', 'unfit'],
  ])('%s is refused', (_, name, agent, refused) => {
    expect(led().spawn('lena', name, { agent })).toMatchObject({ refused });
  });

  test('is the lead’s alone, and ends with the slots', () => {
    const it = led({ members: 4 });
    expect(it.spawn('bob', 'new')).toMatchObject({ refused: 'not_lead' });
    expect(it.spawn('lena', 'new')).toMatchObject({ again: false });
    expect(it.member('new').slot).toBe(4);
    it.wait(60_000).idleOver('alice');
    expect(it.spawn('lena', 'newer')).toMatchObject({ refused: 'no_free_slot', hint: 'start one of these again: alice' });
  });
});
