import { KEYS_KEPT } from '../../plan/board/board-state';
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

test('a board that is over takes nobody', () => {
  const it = opened([member('alice')], []);
  it.wait(60_000).idleOver('alice');
  expect(it.state.over).toBe('done');
  it.tell({ kind: 'spawn', by: 'fran', member: { name: 'alice', agent: 'coder' } });
  expect(it.answer?.said).toMatchObject({ refused: 'board_over' });
});
