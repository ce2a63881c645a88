import type { World } from '../support/world';
import { coder, completes, type Member, notes, plan, playBoard, rows } from './board-play';
import { carry, rerun } from './carrying';

const task = (subject: string) => ({ subject });

it('goes on in a rerun with what is not done yet', async () => {
  let isAble = false;
  const member: Member = async (work) => {
    if (isAble || !work.text.includes('Task #2')) return completes(work);
    await work.ask({ kind: 'fail_task', task: 2, reason: 'no access' });
    return undefined;
  };
  const tasks = [task('one'), task('two')];
  const first = playBoard({ tasks, member, step: { members: [coder('alice')], attempts: 1 } });
  await first.world.elapse(() => first.world.status().gates.length > 0);
  await first.world.update('reject', { step: first.world.status().gates[0]?.step, by: 'ann' });
  await first.world.elapse();
  await expect(first.world.result).rejects.toMatchObject({ message: expect.stringContaining('#2 two (dropped)') });
  isAble = true;
  const { carry: carried } = carry(first.world, 'team');
  const again = playBoard({
    tasks,
    member,
    step: { members: [coder('alice')], attempts: 1 },
    begin: (plan, more) => rerun(plan, carried, more),
  });
  await again.world.completes();
  expect(again.works.map((text) => /Task #\d/.exec(text)?.[0])).toEqual(['Task #2']);
  expect(rows(again, 'tasks')).toMatchObject([
    { number: 1, status: 'completed' },
    { number: 2, status: 'completed' },
  ]);
});

it('does not wait for a person whose answer nobody needs any more', async () => {
  const member: Member = async (work) => {
    await completes(work);
    if (work.member === 'alice') await work.ask(plan('what comes next', work));
    return undefined;
  };
  const played = playBoard({
    tasks: [task('one'), task('two')],
    member,
    step: { members: [coder('alice'), coder('bob')], until: 'all_done' },
  });
  await played.world.elapse(() => played.world.status().gates.length > 0);
  // Everything is done, and alice does not answer the request to shut down, because her plan has no answer.
  await played.world.completes();
  expect(notes(played, 'shutdown')).toContainEqual(
    expect.objectContaining({ member: 'alice', reason: expect.stringContaining('in time') }),
  );
});

describe('a step with a timeout', () => {
  const slow: Member = async (work) => {
    if (work.text.includes('Task #2') && work.seen.call.clock.now() < late) await work.takes(HOUR_MS);
    return completes(work);
  };
  const HOUR_MS = 3_600_000;
  let late = 0;
  const play = (more: object) =>
    playBoard({
      tasks: [task('one'), task('two')],
      member: slow,
      step: { members: [coder('alice'), coder('bob')], timeoutMs: 60_000, idleMs: 1000, ...more },
    });

  beforeEach(() => {
    late = Number.POSITIVE_INFINITY;
  });

  it('ends when its time is up, with all that its members have in progress', async () => {
    const played = play({});
    await played.world.elapse();
    await expect(played.world.result).rejects.toMatchObject({ code: 'step.timeout' });
    expect(played.world.step('team').board).toMatchObject({
      over: 'stopped',
      completed: 1,
      tasks: [{ status: 'completed' }, { number: 2, owner: 'bob' }],
      members: [
        { name: 'alice', status: 'shutdown' },
        { name: 'bob', status: 'shutdown' },
      ],
    });
  });

  it.each([
    ['held for a person', { timeoutMs: 60_000, onError: [{ kind: 'hold' as const }] }, () => undefined],
    ['cancelled', { timeoutMs: 86_400_000 }, (world: World) => world.cancel()],
  ])('shows nobody at work once it is %s', async (_, more, end) => {
    const played = play(more);
    await played.world.elapse(() => played.works.length === 2);
    end(played.world);
    await played.world.elapse(() => played.world.step('team').board?.over !== undefined);
    const { board } = played.world.step('team');
    expect(board?.over).toBe('stopped');
    expect(board?.members.filter(({ status }) => status === 'working' || status === 'idle')).toEqual([]);
  });

  it('has its time again in the next try, which goes on with what is not done', async () => {
    const played = play({ retry: { max: 2 } });
    await played.world.settle();
    late = played.world.clock.now() + 60_000;
    await played.world.completes();
    expect(played.works.map((text) => /Task #\d/.exec(text)?.[0])).toEqual(['Task #1', 'Task #2', 'Task #2']);
    expect(rows(played, 'tasks')).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
  });
});
