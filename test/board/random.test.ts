import { listSchedule } from '../../bench/board/list-schedule';
import { playBoard } from '../../bench/board/play';
import { randomWork } from '../../bench/board/tasks';
import { bound } from '../../kinds/caid/rules/bound';
import type { BoardState } from '../../plan/board/board-state';
import { chance } from '../caid/chance';
import { expectInvariants } from './invariants';

/** 1,000 tasks with random dependencies and roles, by scripted members, and another execution at random moments. */

describe.each([
  ['roles', true],
  ['no roles', false],
])('with %s', (_, roles) => {
  test.each([1])('each task is done once, in order, and none waits while a member that fits is idle (order %i)', (seed) => {
    const work = randomWork(seed, { tasks: 1000, members: 20, roles });
    const pick = chance(seed);
    const { state, begun, completed, finishMs } = playBoard(work, (now) => {
      expectInvariants(now);
      return pick(10) === 0 ? JSON.parse(JSON.stringify(now)) : now;
    });
    expect(state.over).toBe('done');
    expect([...completed].sort()).toEqual(work.tasks.map(({ subject }) => subject).sort());
    expect([...begun].sort()).toEqual([...completed].sort());
    // `begun` and `completed` are both in the order of time: what is begun has its blockers completed, which the invariants hold, too.
    const at = new Map(completed.map((subject, i) => [subject, i]));
    for (const { subject, blockedBy = [] } of work.tasks)
      for (const one of blockedBy) expect(at.get(`${one}`)!).toBeLessThan(at.get(subject)!);
    expect(listSchedule(work) / finishMs).toBeGreaterThanOrEqual(0.9);
  });
});

test('with worktrees, and a queue that gives one of five back: each task lands once, in order, and none waits while a member that fits is idle', () => {
  const work = randomWork(3, { tasks: 300, members: 10, roles: true });
  const pick = chance(3);
  const after = (now: BoardState) => {
    expectInvariants(now);
    return pick(10) === 0 ? JSON.parse(JSON.stringify(now)) : now;
  };
  const landing = (_: string, offers: number) => ({ ms: 100 + pick(20_000), comesBack: offers < 3 && pick(5) === 0 });
  const { state, begun, completed } = playBoard(work, after, landing);
  expect(state.over).toBe('done');
  expect([...completed].sort()).toEqual(work.tasks.map(({ subject }) => subject).sort());
  expect(begun.length).toBeGreaterThan(completed.length);
  const at = new Map(completed.map((subject, i) => [subject, i]));
  for (const { subject, blockedBy = [] } of work.tasks)
    for (const one of blockedBy) expect(at.get(`${one}`)!).toBeLessThan(at.get(subject)!);
});

test('the reference is the bound of a caid step with nothing to integrate', () => {
  const work = randomWork(4, { tasks: 300, members: 5, roles: false });
  const units = work.tasks.map(({ subject, blockedBy = [] }) => ({ id: subject, depends_on: blockedBy.map(String) }));
  const { finishMs } = bound({ units }, (id) => ({ workMs: work.latencyOf(id), integrateMs: 0 }), 5);
  // They differ in who is first among equals.
  expect(Math.abs(listSchedule(work) / finishMs - 1)).toBeLessThan(0.001);
});
