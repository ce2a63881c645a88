import { DONE_KEPT, KEYS_KEPT, MOST_OPEN_TASKS } from '../../plan/board/board-state';
import { member, opened, PROMPT, task } from './board';

/** What people send to a board. */

const busy = (name: string) => member(name, { prompt: PROMPT });

test('of several tasks with one key only the first is added, and the others get its number', () => {
  const it = opened([busy('alice')], [task('a')]);
  const send = (subject: string, key: string) => {
    it.tell({ kind: 'task', task: task(subject), by: 'fran', key });
    return it.answer?.said;
  };
  expect(send('b', 'k')).toMatchObject({ created: { id: 2 } });
  expect(send('c', 'k')).toEqual({ created: { id: 2 }, again: true });
  expect(send('c', 'l')).toMatchObject({ created: { id: 3 } });
  expect(it.state.next).toBe(4);
});

test('a key of a task that was refused is free', () => {
  const it = opened([busy('alice')], [task('a')]);
  it.tell({ kind: 'task', task: task('a'), by: 'fran', key: 'k' });
  expect(it.answer?.refused).toBe(true);
  it.tell({ kind: 'task', task: task('b'), by: 'fran', key: 'k' });
  expect(it.answer?.said).toMatchObject({ created: { id: 2 } });
});

test('the memory for keys is bounded', () => {
  const it = opened([busy('alice')], []);
  it.isChecked = false;
  for (let i = 0; i <= KEYS_KEPT; i++) it.tell({ kind: 'task', task: { subject: 'x' }, by: 'fran', key: `k${i}` });
  expect(it.state.keys).toHaveLength(KEYS_KEPT);
  it.tell({ kind: 'task', task: { subject: 'x' }, by: 'fran', key: `k${KEYS_KEPT}` });
  expect(it.answer?.said).toEqual({ created: { id: KEYS_KEPT + 1 }, again: true });
});

test.each([
  ['idle', 'draining'],
  ['stopped', undefined],
] as const)('a team that drains and ends %s takes tasks: %s', (until, refused) => {
  const it = opened([busy('alice')], [], { until });
  it.tell({ kind: 'drain', by: 'fran' });
  it.tell({ kind: 'task', task: task('a'), by: 'fran' });
  expect(it.answer?.said).toMatchObject(refused === undefined ? { created: { id: 1 } } : { refused });
  expect(it.owners()).toEqual([]);
});

test('a person spawns members of any agent that the team has, and starts again who has shut down', () => {
  const it = opened([busy('alice'), member('bob', { agent: 'tester' })], [], { spawns: [] });
  const spawn = (name: string, agent: string) => {
    it.tell({ kind: 'spawn', by: 'fran', member: { name, agent } });
    return it.answer?.said;
  };
  expect(spawn('carol', 'tester')).toMatchObject({ name: 'carol', again: false });
  expect(spawn('dave', 'painter')).toMatchObject({ refused: 'unknown_agent', hint: 'you may spawn coder, tester' });
  expect(spawn('alice', 'coder')).toMatchObject({ refused: 'working' });
  it.wait(60_000).idleOver('bob');
  expect(it.member('bob').status).toBe('shutdown');
  expect(spawn('bob', 'tester')).toMatchObject({ name: 'bob', again: true, status: 'idle' });
});

test('who starts again needs no agent, and neither does a new member of a team that has one agent alone', () => {
  const spawn = (it: ReturnType<typeof opened>, name: string) => {
    it.tell({ kind: 'spawn', by: 'fran', member: { name } });
    return it.answer?.said;
  };
  const two = opened([busy('alice'), member('bob', { agent: 'tester' })], [], { spawns: [] });
  two.wait(60_000).idleOver('bob');
  expect(spawn(two, 'bob')).toMatchObject({ name: 'bob', agent: 'tester', again: true });
  expect(spawn(two, 'carol')).toEqual({ refused: 'unknown_agent', hint: 'you may spawn coder, tester' });
  expect(spawn(opened([busy('alice')], [], { spawns: [] }), 'carol')).toMatchObject({ agent: 'coder', again: false });
});

test('a board that is over takes nobody', () => {
  const it = opened([member('alice')], []);
  it.wait(60_000).idleOver('alice');
  expect(it.state.over).toBe('done');
  it.tell({ kind: 'spawn', by: 'fran', member: { name: 'alice', agent: 'coder' } });
  expect(it.answer?.said).toMatchObject({ refused: 'board_over' });
});

const asked = (name: string) => ({ workflowId: 'cron', run: 'cron', name: `submission/${name}` });

test('tasks that were withdrawn leave the board as completed ones do, and do not fill it', () => {
  const it = opened([busy('alice')], [], { until: 'stopped' });
  it.isChecked = false;
  const left: number[] = [];
  for (let i = 1; i <= MOST_OPEN_TASKS + DONE_KEPT; i++) {
    it.tell({ kind: 'task', task: { subject: 'x' }, by: 'cron', asked: asked(`${i}`) });
    it.tell({ kind: 'withdrawn', asked: asked(`${i}`) });
    left.push(...it.decisions.flatMap((one) => (one.kind === 'leaves' ? [one.task.number] : [])));
  }
  it.tell({ kind: 'task', task: { subject: 'y' }, by: 'fran' });
  expect(it.answer?.refused).toBeUndefined();
  expect(it.state.tasks).toHaveLength(DONE_KEPT + 1);
  expect(left).toEqual(Array.from({ length: MOST_OPEN_TASKS }, (_, at) => at + 1));
  expect(it.ask('alice', { kind: 'list_tasks' })).toMatchObject({ completed: 0, total: MOST_OPEN_TASKS + DONE_KEPT + 1 });
  expect(it.claim('alice', 1)).toMatchObject({ refused: 'done' });
});

test('a withdrawn task that another one waits for stays, and the other one does not begin', () => {
  const it = opened([member('alice')], [], { until: 'stopped', takesAnyRole: true });
  it.tell({ kind: 'task', task: task('first', { requiredRole: 'coder' }), by: 'cron', asked: asked('first') });
  it.tell({ kind: 'task', task: task('second', { blockedBy: ['first'] }), by: 'fran' });
  for (const name of ['first', ...Array.from({ length: DONE_KEPT + 1 }, (_, at) => `${at}`)]) {
    if (name !== 'first') it.tell({ kind: 'task', task: { subject: name, requiredRole: 'coder' }, by: 'cron', asked: asked(name) });
    it.tell({ kind: 'withdrawn', asked: asked(name) });
  }
  expect(it.task('first').status).toBe('dropped');
  expect(it.task('second')).toMatchObject({ status: 'pending', blockedBy: [1] });
});

test('a later try of the step does not begin what was withdrawn', () => {
  const it = opened([member('alice')], [task('own')]);
  it.tell({ kind: 'task', task: task('asked'), by: 'cron', asked: asked('a') });
  it.tell({ kind: 'withdrawn', asked: asked('a') });
  it.tell({ kind: 'again' });
  expect(it.task('asked').status).toBe('dropped');
});
