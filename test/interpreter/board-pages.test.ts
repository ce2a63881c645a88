import { field, type Json } from '../../plan/text/json';
import { coder, playBoard } from './board-play';
import { freshly } from './program';

/** Completed tasks leave the state of a run, and are all in the output. */

const TASKS = 320;
const tasks = Array.from({ length: TASKS }, (_, i) => ({ subject: `task ${i + 1}` }));
const listIn = (value: Json | undefined, name: string): Json[] => {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
};

it('are put into pages by the hundred, over executions: what the run keeps does not grow with them', async () => {
  const { historyIsFull, toTheEnd } = freshly();
  const played = playBoard({ tasks, step: { members: [coder('alice'), coder('bob')], mostMembers: 2 }, historyIsFull });
  const { world } = played;
  await toTheEnd(world);
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  const composed = Object.entries(world.composed);
  const paged = composed.filter(([address]) => /\/page-\d+$/.test(address)).map(([, from]) => ('value' in from ? from.value : null));
  expect(paged.map((page) => [field(page, 'before') === null, listIn(page, 'items').length])).toEqual([
    [true, 100],
    [false, 100],
  ]);
  const end = composed.findLast(([address]) => address.endsWith('/compose'))?.[1];
  expect(end).toMatchObject({ kind: 'pages', list: 'tasks', by: 'number', last: { name: expect.stringContaining('page-2') } });
  const rows = [...paged.flatMap((page) => listIn(page, 'items')), ...listIn(end && 'value' in end ? end.value : null, 'tasks')];
  expect(new Set(rows.map((row) => field(row, 'number'))).size).toBe(TASKS);
  expect(rows).toHaveLength(TASKS);
  expect(rows.every((row) => field(row, 'status') === 'completed' && field(row, 'owner') !== undefined)).toBe(true);
  const kept = world.states.map(({ records }) => field(records['team'], 'kept'));
  const done = kept.map((one) => listIn(one, 'left').length + listIn(field(one, 'board'), 'tasks').filter(isDone).length);
  expect(Math.max(...done)).toBeLessThanOrEqual(200);
  expect(Math.max(...done)).toBeGreaterThan(150);
});

function isDone(task: Json): boolean {
  return field(task, 'status') === 'completed';
}
