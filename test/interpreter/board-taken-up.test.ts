import { field } from '../../plan/text/json';
import { coder, completes, type Member, notes, playBoard, rows } from './board-play';
import { carry, rerun } from './carrying';

const task = (name: string) => ({ name, subject: name });

/** What each WORK has as its context: the conversation so far. */
const contextsOf =
  (contexts: Map<string, string[]>): Member =>
  async (work) => {
    contexts.set(
      work.member,
      (work.input.member?.context ?? []).map(({ name = '' }) => name),
    );
    return completes(work);
  };

it('the next run of a team goes on with its board, with other members and the contexts of those who stay', async () => {
  const slow: Member = async (work) => {
    if (work.text.includes('Task #3')) await work.takes(10_000_000);
    await completes(work);
    return { adapter: 'scripted' };
  };
  const first = playBoard({
    tasks: [task('one'), task('two'), task('three'), task('four')],
    member: slow,
    step: { members: [coder('alice'), coder('bob')], until: 'stopped', mostMembers: 2 },
  });
  await first.world.elapse(() => notes(first, 'completed').length === 3);
  const { carry: carried } = carry(first.world, 'team');
  const contexts = new Map<string, string[]>();
  const again = playBoard({
    tasks: [task('one'), task('five')],
    member: contextsOf(contexts),
    step: { members: [coder('bob'), { name: 'cleo', agent: 'tester' }], until: 'stopped', mostMembers: 2, attempts: 1 },
    begin: (plan, more) => rerun(plan, carried, more),
  });
  await again.world.elapse(() => notes(again, 'completed').length === 2);
  const view = again.world.status().steps.find(({ address }) => address === 'team')?.board;
  expect(view?.tasks.map(({ number, status, attempt }) => [number, status, attempt])).toEqual([
    [1, 'completed', 1],
    [2, 'completed', 1],
    [3, 'completed', 1],
    [4, 'completed', 1],
    [5, 'completed', 1],
  ]);
  expect(view?.members.map(({ name }) => name)).toEqual(['bob', 'cleo']);
  expect(contexts.get('bob')).toEqual([expect.stringContaining('context-bob')]);
  expect(contexts.get('cleo')).toEqual([]);
  // It goes on: nobody has stopped it.
  await again.world.elapse();
  expect(again.world.status().state).toBe('running');
});

it('until the board is taken up again it is neither over nor draining, and tasks are kept for it', async () => {
  const step = { members: [coder('alice')], until: 'stopped' as const };
  const first = playBoard({ tasks: [task('one')], step });
  await first.world.elapse(() => notes(first, 'completed').length === 1);
  await first.world.update('drain', { by: 'fran' });
  await first.world.elapse();
  await first.world.result;
  const seen: object[] = [];
  let isOpen = (): void => undefined;
  const again = playBoard({
    ...{ tasks: [task('one')], step },
    begin: (plan, more) => {
      const world = rerun(plan, carry(first.world, 'team').carry, {
        ...more,
        openBoard: (...asked) => {
          isOpen();
          return more?.openBoard?.(...asked) ?? { tasks: [], members: [] };
        },
      });
      isOpen = () => {
        const { over, isDraining, total } = world.step('team').board ?? {};
        seen.push({ over, isDraining, total });
        world.signal('task', { subject: 'two', by: 'fran' });
      };
      return world;
    },
  });
  await again.world.elapse(() => notes(again, 'completed').length === 1);
  expect(seen).toEqual([{ over: undefined, isDraining: undefined, total: 1 }]);
  expect(notes(again, 'completed')).toMatchObject([{ task: 2, by: 'alice' }]);
});

it('a list with a task that cannot be fails the run, and the board is as it was', async () => {
  const first = playBoard({ tasks: [task('one')], step: { members: [coder('alice')], until: 'stopped' } });
  await first.world.elapse(() => notes(first, 'completed').length === 1);
  const wrong = playBoard({
    tasks: [{ ...task('two'), blockedBy: ['nowhere'] }],
    step: { members: [coder('alice')], until: 'stopped' },
    begin: (plan, more) => rerun(plan, carry(first.world, 'team').carry, more),
  });
  await wrong.world.elapse();
  await expect(wrong.world.result).rejects.toMatchObject({
    code: 'board.bad-tasks',
    message: 'team cannot use its tasks: unknown_blocker (task: two, blocked_by: nowhere): a task waits for tasks that are on the board',
  });
  const { records } = carry(wrong.world, 'team').carry;
  expect(field(field(records['team'], 'kept'), 'board')).toMatchObject({ next: 2, tasks: [{ status: 'completed' }] });
  const again = playBoard({
    tasks: [task('one'), task('two')],
    step: { members: [coder('alice')], until: 'stopped' },
    begin: (plan, more) => rerun(plan, carry(wrong.world, 'team').carry, more),
  });
  await again.world.elapse(() => notes(again, 'completed').length === 1);
  expect(notes(again, 'completed')).toMatchObject([{ task: 2, by: 'alice' }]);
});

it('a team that is drained is completed with tasks left open, and the next run has them', async () => {
  const step = { members: [coder('alice')], until: 'stopped' as const };
  const slow: Member = async (work) => {
    await work.takes(10_000);
    return completes(work);
  };
  const first = playBoard({ tasks: [task('one'), task('two')], member: slow, step });
  await first.world.elapse(() => first.works.length === 1);
  await first.world.update('drain', { by: 'fran' });
  // Who sends a task late does not lose it.
  await expect(first.world.update('task', { subject: 'three', by: 'fran' })).resolves.toMatchObject({ task: 3 });
  await first.world.completes();
  expect(first.output()).toMatchObject({ end: 'stopped' });
  expect(rows(first, 'tasks').map((row) => field(row, 'status'))).toEqual(['completed', 'pending', 'pending']);
  const again = playBoard({
    tasks: [task('one'), task('two')],
    step,
    begin: (plan, more) => rerun(plan, carry(first.world, 'team').carry, more),
  });
  await again.world.elapse(() => notes(again, 'completed').length === 2);
  expect(notes(again, 'claimed')).toMatchObject([
    { task: 2, by: 'alice' },
    { task: 3, by: 'alice' },
  ]);
});

it.each([
  ['each work of a standing team has its own day', 'stopped', [0, 0, 1000, 1000]],
  ['the day of a board in a pipeline is that of its run', 'idle', Array(4).fill(undefined)],
] as const)('%s', async (_, until, after) => {
  // Each work calls its agent twice: the answer of the board comes in between.
  const begun: (string | undefined)[] = [];
  const played = playBoard({
    tasks: [task('one'), task('two')],
    step: { members: [coder('alice')], until },
    member(work) {
      begun.push(work.input.member?.begunAt);
      return completes(work);
    },
  });
  await played.world.elapse(() => notes(played, 'completed').length === 2);
  const [first = ''] = begun;
  expect(begun).toEqual(after.map((ms) => (ms === undefined ? undefined : new Date(Date.parse(first) + ms).toISOString())));
});
