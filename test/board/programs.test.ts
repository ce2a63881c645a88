import type { ReportedMessage } from '../../plan/board/report';
import { BOARD, LEAD, member, opened, PROMPT, task } from './board';

/** Members that are programs: they have no tools, and answer once, at the end of a WORK. */

const to = (name: string, content = 'hello'): ReportedMessage => ({ to: name, content, characters: content.length });
const both = [member('alice'), member('bob')];

describe('a task', () => {
  test('that is done has the result, frees what waits for it, and the next one begins in the same step', () => {
    const crew = opened([member('alice')], [task('one'), task('two', { blockedBy: ['one'] })]);
    expect(crew.report('alice', 'done', { said: { text: 'found', whole: PROMPT } })).toEqual(['alice task 2']);
    expect(crew.task('one')).toMatchObject({ status: 'completed', result: { text: 'found', whole: PROMPT } });
  });

  test.each(['blocked', 'failed'] as const)('that is %s goes back with the reason, an attempt used, and is held in the end', (status) => {
    const crew = opened([member('alice')], [task('one')], { attempts: 2 });
    expect(crew.report('alice', status, { said: { text: 'no key', whole: PROMPT } })).toEqual(['alice task 1']);
    expect(crew.task('one')).toMatchObject({
      attempt: 2,
      returned: { by: 'alice', reason: status === 'blocked' ? 'blocked: no key' : 'no key', whole: PROMPT },
    });
    expect(crew.report('alice', status)).toEqual(['person 1']);
    expect(crew.task('one').status).toBe('held');
  });

  test('is never another’s: an answer without a task of one’s own ends nothing', () => {
    const crew = opened([member('alice'), member('bob', { role: 'coder' })], [task('one', { requiredRole: 'coder' })]);
    crew.send('bob', 'alice');
    expect(crew.owners()).toEqual(['one @bob']);
    expect(crew.report('alice', 'failed')).toEqual([]);
    expect(crew.owners()).toEqual(['one @bob']);
    expect(crew.task('one')).not.toHaveProperty('returned');
  });

  test('of a WORK that is over is not ended again', () => {
    const crew = opened([member('alice')], [task('one')]);
    crew.report('alice', 'done');
    crew.report('alice', 'failed', { tasks: [task('late')], messages: [to('alice')] });
    expect(crew.state.tasks).toMatchObject([{ number: 1, status: 'completed' }]);
    expect(crew.inbox('alice')).toEqual([]);
  });
});

describe('new tasks', () => {
  test('are the member’s, may name each other, and are there before its own is done', () => {
    const crew = opened([member('alice')], [task('one')]);
    crew.report('alice', 'done', { tasks: [task('three', { blockedBy: ['two'] }), task('two', { blockedBy: [1] })] });
    expect(crew.task('three')).toMatchObject({ by: 'alice', blockedBy: [3], status: 'pending' });
    expect(crew.task('two')).toMatchObject({ by: 'alice', status: 'in_progress', owner: 'alice' });
  });

  test.each([
    ['unknown_blocker', [task('two'), task('three', { blockedBy: ['nowhere'] })]],
    ['cycle', [task('two', { blockedBy: ['three'] }), task('three', { blockedBy: ['two'] })]],
    ['unknown_role', [task('two', { requiredRole: 'king' })]],
    ['name_taken', [task('one')]],
    ['unfit', [task('7')]],
  ])('that are refused (%s) are not created, and the member learns why', (refused, tasks) => {
    const crew = opened([member('alice')], [task('one')]);
    expect(crew.report('alice', 'done', { tasks })).toEqual(['alice inbox']);
    expect(crew.notes()).toContainEqual(
      expect.objectContaining({ event: 'refused', request: 'create_task', reason: expect.stringContaining(refused) }),
    );
    expect(crew.inbox('alice')).toEqual([expect.stringContaining(`${BOARD}: no task of your answer was created: {"refused":"${refused}"`)]);
    expect(crew.state.tasks).toHaveLength(1);
    expect(crew.task('one').status).toBe('completed');
  });
});

describe('messages', () => {
  test('are from the member, to one or to the lead, with their whole texts', () => {
    const crew = opened([member(LEAD, { isLead: true }), ...both], [task('one')]);
    crew.report('alice', 'done', { messages: [{ ...to('bob'), whole: PROMPT }, to(LEAD, 'done')] });
    expect(crew.member('bob').inbox).toMatchObject([{ from: 'alice', type: 'message', content: 'hello', whole: PROMPT }]);
    expect(crew.inbox(LEAD)).toEqual(['alice: done']);
  });

  test('reach a person who leads', () => {
    const crew = opened([member('alice')], [task('one')]);
    expect(crew.report('alice', 'done', { messages: [to(LEAD)] })).toEqual([]);
    expect(crew.notes()).toContainEqual({ event: 'sent', from: 'alice', to: LEAD, type: 'message' });
  });

  test.each([
    ['nobody', 'nobody in the team is called nobody'],
    ['alice', 'it is to yourself'],
    [BOARD, 'nobody in the team'],
  ])('to %s come back with the reason', (name, reason) => {
    const crew = opened([member('alice')], [task('one')]);
    expect(crew.report('alice', 'done', { messages: [to(name, 'are you there?')] })).toEqual(['alice inbox']);
    expect(crew.inbox('alice')).toEqual([expect.stringMatching(`was not delivered: ${reason}.*It said: are you there\\?`)]);
  });

  test('that come during a WORK are in the next one', () => {
    const crew = opened(both, [task('one')]);
    crew.send('bob', 'alice', 'wait');
    expect(crew.report('alice', 'done')).toEqual(['alice inbox']);
    expect(crew.inbox('alice')).toEqual(['bob: wait']);
    expect(crew.report('alice', 'done')).toEqual([]);
    expect(crew.inbox('alice')).toEqual([]);
  });
});

describe('a mistake', () => {
  const wrong = { tasks: [task('two', { requiredRole: 'king' })], messages: [to('nobody')] };

  test('may be corrected once, and is not paid for again and again', () => {
    const crew = opened([member('alice')], [task('one')]);
    expect(crew.report('alice', 'done', wrong)).toEqual(['alice inbox']);
    expect(crew.inbox('alice')).toHaveLength(2);
    expect(crew.report('alice', 'done', wrong)).toEqual([]);
    expect(crew.inbox('alice')).toEqual([]);
    expect(crew.notes().map(({ event }) => event)).toEqual(['refused', 'undelivered', 'work-ended', 'idle']);
  });

  test('in an answer to others may be corrected, too', () => {
    const crew = opened(both, []);
    crew.send('bob', 'alice');
    expect(crew.report('alice', 'done', wrong)).toEqual(['alice inbox']);
    expect(crew.report('alice', 'done', { messages: [to('bob')] })).toEqual(['bob inbox']);
  });
});

describe('a request to shut down', () => {
  test('is agreed to when the WORK is over, after the task', () => {
    const crew = opened([member(LEAD, { isLead: true }), ...both], [task('one')]);
    crew.askToEnd('alice');
    expect(crew.member('alice').status).toBe('working');
    crew.report('alice', 'done');
    expect(crew.task('one').status).toBe('completed');
    expect(crew.member('alice')).toMatchObject({ status: 'shutdown', isDismissed: true });
    expect(crew.inbox(LEAD)).toEqual(['alice: my work is over']);
    expect(crew.state.requests).toMatchObject([{ status: 'approved' }]);
  });

  test('is agreed to at once by one that is idle: its answer would cost a reply', () => {
    const crew = opened([member(LEAD, { isLead: true }), ...both], [task('one')]);
    crew.report('alice', 'done');
    expect(crew.askToEnd('alice')).not.toContain('alice inbox');
    expect(crew.member('alice')).toMatchObject({ status: 'shutdown', isDismissed: true });
    expect(crew.inbox(LEAD)).toEqual(['alice: my work is over']);
  });

  test('of the board itself ends a team of programs in the step in which everything is done', () => {
    const crew = opened(both, [task('one'), task('two')], { until: 'all_done' });
    expect(crew.report('alice', 'done')).toEqual([]);
    expect(crew.report('bob', 'done')).toEqual(['over done']);
    expect(crew.statuses()).toEqual({ alice: 'shutdown', bob: 'shutdown' });
  });

  test('by somebody else than the lead is none', () => {
    const crew = opened(both, [task('one')]);
    crew.report('alice', 'done');
    crew.askToEnd('alice', 'bob');
    expect(crew.member('alice').status).toBe('idle');
  });

  test('ends one that drains, with what it was doing done', () => {
    const crew = opened(both, [task('one'), task('two'), task('three')]);
    crew.tell({ kind: 'drain', by: 'ann' });
    crew.report('alice', 'done');
    expect(crew.report('bob', 'done')).toEqual(['over stopped']);
    expect(crew.task('three').status).toBe('pending');
  });
});

test('a program that is cut off at its last reply is reminded as others are, then its task goes back', () => {
  const crew = opened([member('alice')], [task('one')], { attempts: 1 });
  expect(crew.end('alice', 'cap')).toEqual(['alice reminder 1']);
  expect(crew.end('alice', 'cap')).toEqual(['person 1']);
});
