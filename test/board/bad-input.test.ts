import { boardLines, type ListedBoard } from '../../plan/board/board-lines';
import type { NewTask } from '../../plan/board/task';
import { member, opened, PROMPT, task } from './board';

/** What people, planners and agents get wrong. */

const busy = (name: string, role?: string) => member(name, { prompt: PROMPT, ...(role === undefined ? {} : { role }) });

const CASES: [what: string, task: NewTask, refused: object][] = [
  ['that blocks itself by its name', task('b', { blockedBy: ['b'] }), { refused: 'cycle', chain: ['b', 'b'] }],
  ['that blocks itself by its number', task('b', { blockedBy: [2] }), { refused: 'cycle', chain: ['b', 'b'] }],
  ['with an unknown blocker', task('b', { blockedBy: ['aa'] }), { refused: 'unknown_blocker', hint: expect.stringContaining('"a"') }],
  ['with a blocker of a number to come', task('b', { blockedBy: [9] }), { refused: 'unknown_blocker' }],
  ['with a role that nobody has', task('b', { requiredRole: 'codr' }), { refused: 'unknown_role', hint: expect.stringContaining('coder') }],
  ['with a name that is taken', task('a'), { refused: 'name_taken' }],
  ['with a number for a name', task('7'), { refused: 'unfit' }],
  ['without a subject', task(' ', { name: 'x' }), { refused: 'unfit' }],
  ['with a long subject', task('x'.repeat(201), { name: 'x' }), { refused: 'too_large' }],
  ['of 1 MB', task('b', { description: { ...PROMPT, sizeBytes: 1_000_000 } }), { refused: 'too_large' }],
  ['whose priority is no number', task('b', { priority: Number.NaN }), { refused: 'unfit' }],
];

test.each(CASES)('a task %s is refused, and nothing is added', (_, one, refused) => {
  const it = opened([busy('alice', 'coder')], [task('a')]);
  expect(it.create('alice', one)).toMatchObject(refused);
  it.tell({ kind: 'task', task: one, by: 'fran' });
  expect(it.answer?.said).toMatchObject(refused);
  expect(it.state.next).toBe(2);
});

test('a role that nobody has is taken in a standing team, whose board says that nobody may claim the task until somebody does', () => {
  const it = opened([member('alice')], [], { until: 'stopped', takesAnyRole: true });
  it.tell({ kind: 'task', task: task('a', { requiredRole: 'painter' }), by: 'fran' });
  expect(it.answer?.said).toMatchObject({ created: { id: 1, required_role: 'painter' } });
  expect(it.owners()).toEqual([]);
  const shown = () => boardLines(it.ask('alice', { kind: 'list_tasks' }) as unknown as ListedBoard).split('\n')[0];
  it.send('fran', 'alice');
  expect(shown()).toBe('[ ] #1: a (named a; for painter, which nobody here is)');
  it.tell({ kind: 'spawn', by: 'fran', member: member('pat', { role: 'painter' }) });
  expect(shown()).toBe('[>] #1: a @pat (named a; for painter)');
});

test.each([
  [
    'a circle',
    [task('a', { blockedBy: ['c'] }), task('b', { blockedBy: ['a'] }), task('c', { blockedBy: ['b'] })],
    { chain: ['a', 'c', 'b', 'a'] },
  ],
  ['two tasks of one name', [task('a'), task('a')], { refused: 'name_taken' }],
  ['an unknown blocker', [task('a', { blockedBy: ['x'] })], { refused: 'unknown_blocker' }],
  ['an unknown role', [task('a', { requiredRole: 'x' })], { refused: 'unknown_role' }],
])('a board does not open with %s, and is over', (_, tasks, refused) => {
  const it = opened([member('alice')], tasks);
  expect(it.answer?.said).toMatchObject(refused);
  expect(it.begun).toEqual(['over unfinished']);
  expect(it.state).toMatchObject({ tasks: [], members: [], next: 1 });
  it.tell({ kind: 'again' });
  expect(it.state.over).toBe('unfinished');
});

test('a member’s name twice, a name that is none, and more members than slots do not open', () => {
  expect(opened([member('alice'), member('alice')], []).answer?.said).toMatchObject({ refused: 'name_taken' });
  expect(opened([member('a b')], []).answer?.said).toMatchObject({ refused: 'unfit' });
  expect(opened([member('a'), member('b')], [], { members: 1 }).answer?.said).toMatchObject({ refused: 'no_free_slot' });
});

test('a list may name what comes later in it, and a chain of ten thousand tasks is no circle', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => task(`t${i}`, i === 9999 ? {} : { blockedBy: [`t${i + 1}`] }));
  expect(opened([member('alice')], many).begun).toEqual(['alice task 10000']);
  expect(opened([member('alice')], [...many, task('more')]).answer?.said).toMatchObject({ refused: 'board_full' });
});

test('what comes after the end changes nothing', () => {
  const it = opened([member('alice')], [task('a', { requiredRole: 'x' })], { takesAnyRole: true });
  it.wait(60_000).idleOver('alice');
  expect(it.state.over).toBe('unfinished');
  const before = JSON.stringify(it.state);
  it.tell({ kind: 'task', task: task('b'), by: 'fran' });
  expect(it.answer?.said).toMatchObject({ refused: 'board_over' });
  expect(it.create('alice', task('b'))).toMatchObject({ refused: 'board_over' });
  it.send('fran', 'alice');
  it.tell({ kind: 'drain', by: 'fran' });
  it.tell({ kind: 'decided', task: 1, choice: 'again' });
  it.tell({ kind: 'opened', members: [], tasks: [] });
  expect(JSON.stringify(it.state)).toBe(before);
});
