import type { BoardDetails } from '../../plan/board/board-details';
import { approval } from '../support/steps';
import { planOf, runPlan } from '../support/world';
import { coder, completes, each, type PlayedBoard, plan, playBoard } from './board-play';

/** What people look up of a board: the query `boards`. */

const TEAM = { members: [coder('alice'), coder('bob')] };
const boards = ({ world }: PlayedBoard, argument?: unknown): BoardDetails[] =>
  (world.query('boards', argument) as { boards: BoardDetails[] }).boards;

test('shows tasks with who made them, their descriptions and results, and the team', async () => {
  const played = playBoard({ tasks: [{ subject: 'one' }, { subject: 'two' }], step: TEAM, member: completes });
  await played.world.settle();
  await played.world.update('task', { subject: 'three', name: 'c', description: 'long', blocked_by: 1, priority: 2, by: 'fran' });
  expect(boards(played)).toMatchObject([
    {
      ...{ step: 'team', team: 'research', completed: 0, total: 3 },
      tasks: [
        { id: 1, status: 'in_progress', owner: 'alice', claim_source: 'auto', attempts: 1, created_by: '(board)' },
        { id: 2, owner: 'bob' },
        { id: 3, name: 'c', blocked_by: [1], priority: 2, created_by: 'fran', description: { sizeBytes: expect.any(Number) } },
      ],
      members: [{ name: 'alice', agent: 'coder', status: 'working', unread: 0, works: 1 }, { name: 'bob' }],
    },
  ]);
  await played.world.elapse();
  const [over] = boards(played);
  expect(over).toMatchObject({ over: 'done', completed: 3, tasks: [{ result: { text: 'done 1' } }, {}, {}] });
});

test('says of a task that nobody may claim it', async () => {
  const played = playBoard({ tasks: [{ subject: 'one' }], step: { ...TEAM, until: 'stopped' }, member: completes });
  await played.world.settle();
  await played.world.update('task', { subject: 'two', required_role: 'painter', blocked_by: 1 });
  expect(boards(played)[0]?.tasks).toMatchObject([{ id: 1 }, { id: 2, required_role: 'painter', for_nobody: true }]);
  expect(boards(played)[0]?.tasks[0]).not.toHaveProperty('for_nobody');
});

test('shows the messages of the member that was asked for, and of nobody else', async () => {
  const played = playBoard({ tasks: [{ subject: 'one' }, { subject: 'two' }], step: TEAM });
  await played.world.settle();
  await played.world.update('message', { to: 'bob', content: 'hello', from: 'fran' });
  expect(boards(played, { inbox: 'bob' })[0]?.inbox).toMatchObject([{ from: 'fran', content: 'hello' }]);
  expect(boards(played, { inbox: 'alice' })[0]?.inbox).toEqual([]);
  for (const inbox of ['carol', 'constructor', 7, undefined]) expect(boards(played, { inbox })[0]?.inbox).toBeUndefined();
});

test('a lead who is a person has the messages to the lead, and the plans that wait', async () => {
  const member = each({
    async alice(work) {
      if (!work.text.includes('Task')) return;
      await work.send({ to: 'lead', content: 'a question' });
      await work.ask(plan('First this.', work));
    },
  });
  const played = playBoard({ tasks: [{ subject: 'one' }], step: TEAM, member });
  await played.world.settle();
  expect(boards(played, { inbox: 'lead' })[0]?.inbox).toMatchObject([
    { type: 'message', content: 'a question' },
    { type: 'plan_approval', content: 'First this.', requestId: 'p1' },
  ]);
  expect(played.world.step('team').board?.plansOf).toEqual(['alice']);
});

test('a run without boards has none', async () => {
  const world = runPlan(planOf([approval('ask')]));
  await world.settle();
  expect(world.query('boards')).toEqual({ boards: [] });
});
