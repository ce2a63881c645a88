import { readSignal } from '../../plan/run/signal';

/** What people send to boards, from the `temporal` CLI too. */

const order = (name: 'task' | 'spawn' | 'message', payload: unknown) => {
  const read = readSignal(name, payload);
  return 'problem' in read ? read : read.order;
};

describe('a task', () => {
  it.each([
    ['a bare text', 'fix it', { subject: 'fix it' }],
    ['snake case', { subject: 'a', blocked_by: ['b', 2, '#3'], required_role: 'coder' }, { blockedBy: ['b', 2, 3], requiredRole: 'coder' }],
    ['camel case', { subject: 'a', blockedBy: 2, requiredRole: 'coder' }, { blockedBy: [2], requiredRole: 'coder' }],
    ['one blocker as text', { subject: 'a', blocked_by: '#2' }, { blockedBy: [2] }],
    ['a worktree by its name', { subject: 'a', worktree: 'parser' }, { worktree: 'parser' }],
    ['a priority as text', { subject: 'a', priority: '-2' }, { priority: -2 }],
    ['null for what is absent', { subject: 'a', name: null, blocked_by: null, key: null }, { subject: 'a' }],
    ['blanks around its subject', { subject: ' a \n' }, { subject: 'a' }],
  ])('is read from %s', (_, payload, task) => {
    expect(order('task', payload)).toMatchObject({ kind: 'task', task });
  });

  it('has a key that may be a number', () => {
    expect(order('task', { subject: 'a', key: 17 })).toMatchObject({ key: '17' });
  });

  it.each([
    ['without a subject', {}, 'subject'],
    ['without a payload of use', undefined, undefined],
    ['with a number for its subject', { subject: 7 }, '"subject" is a number, not a text'],
    ['with several lines', { subject: 'a\nb' }, 'several lines'],
    ['with a long subject', { subject: 'x'.repeat(201) }, 'at most 200'],
    ['with a number for its name', { subject: 'a', name: 7 }, 'the board gives the numbers'],
    ['with a text of a number for its name', { subject: 'a', name: '#7' }, 'the board gives the numbers'],
    ['with a long name', { subject: 'a', name: 'x'.repeat(81) }, '80 characters'],
    ['with a mapping for its blocker', { subject: 'a', blocked_by: { id: 1 } }, '"blocked_by" has something'],
    ['with too many blockers', { subject: 'a', blocked_by: Array.from({ length: 101 }, (_, i) => i) }, 'at most 100'],
    ['with a word for its priority', { subject: 'a', priority: 'high' }, '"priority" is a string, not a number'],
    ['with a path for its worktree', { subject: 'a', worktree: '../x' }, '"worktree" is neither true nor false, nor a name'],
    ['with a list for its description', { subject: 'a', description: ['x'] }, '"description" is a list'],
    ['of 64 KiB and more, in bytes', { subject: 'a', description: 'é'.repeat(32 * 1024 + 1) }, '64 KiB'],
    ['with a key of nothing', { subject: 'a', key: '' }, '"key" must be'],
    ['with a long key', { subject: 'a', key: 'x'.repeat(201) }, '"key" must be'],
    ['with a long role', { subject: 'a', required_role: 'x'.repeat(201) }, '"required_role" has at most'],
    ['with a key that no task has', { subject: 'a', owner: 'alice' }, 'unknown key "owner"'],
    ['that is JSON null', null, 'does not take JSON null'],
    ['that is a list', ['a'], 'task takes an object'],
    ['that is a number', 7, 'task takes an object'],
  ])('%s is refused with a reason', (_, payload, problem) => {
    const read = readSignal('task', payload);
    // Nothing at all is read as nothing, and refused where it is planned.
    if (problem === undefined) expect(read).toEqual({});
    else expect(read).toEqual({ problem: expect.stringContaining(problem) });
  });
});

describe('a member', () => {
  it('has a name and an agent, and perhaps a role and a prompt', () => {
    const payload = { name: 'carol', agent: 'coder', role: 'tester', prompt: 'Begin.' };
    expect(order('spawn', payload)).toEqual({ kind: 'spawn', ...payload });
    // A member that the board knows starts again as the agent that it was.
    expect(order('spawn', { name: 'carol' })).toEqual({ kind: 'spawn', name: 'carol' });
  });

  it.each([
    [{ agent: 'coder' }, 'needs "name"'],
    [{ name: 'a b', agent: 'coder' }, '"name" is "a b", but a name has 1 to 40 letters'],
    [{ name: '__proto__', agent: 'coder' }, 'begins with a letter or digit'],
    [{ name: 'lead', agent: 'coder' }, '"lead"'],
    [{ name: 'carol', agent: 7 }, '"agent" is a number'],
    [{ name: 'carol', agent: 'x'.repeat(201) }, 'at most 200'],
    [{ name: 'carol', agent: 'coder', prompt: 'x'.repeat(64 * 1024 + 1) }, '64 KiB'],
    ['carol', 'takes an object'],
  ])('%j is refused with a reason', (payload, problem) => {
    expect(readSignal('spawn', payload)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

it('a team drains for a reason', () => {
  expect(readSignal('drain', 'release')).toEqual({ reason: 'release' });
  expect(readSignal('drain', undefined)).toEqual({});
});
