import { handle, newTeam } from '../../kinds/caid/machine/machine';
import type { TeamDecision } from '../../kinds/caid/machine/team-events';
import type { Returned } from '../../kinds/caid/rules/assignment';
import type { GraphUnit } from '../../kinds/caid/rules/task-graph';
import { type TeamLimits, type TeamState, taskOf } from '../../kinds/caid/state';
import { chance } from './chance';

const LIMITS: TeamLimits = { rounds: 22, returns: 2 };
const RED: Returned = { reason: 'red', message: 'red' };

function unit(id: string, depends_on: string[] = [], more: Partial<GraphUnit> = {}): GraphUnit {
  return { id, title: id, description: id, files: [`${id}.js`], depends_on, ...more };
}

function team(units: GraphUnit[], engineers: number, limits: Partial<TeamLimits> = {}) {
  const state = newTeam(units, engineers, { ...LIMITS, ...limits });
  const said = (decisions: TeamDecision[]): string[] =>
    decisions.map((one) =>
      one.kind === 'assign' ? `${one.task}→${one.engineer}` : one.kind === 'over' ? `${state.over}` : `${one.kind} ${one.task}`,
    );
  return {
    state,
    start: () => said(handle(state, { kind: 'started' })),
    submit: (task: string) => said(handle(state, { kind: 'submitted', task })),
    merge: (task: string) => said(handle(state, { kind: 'merged', task, result: `merged-${task}` })),
    back: (task: string, returned: Returned = RED) => said(handle(state, { kind: 'returned', task, returned })),
    land(task: string) {
      return [...this.submit(task), ...this.merge(task)];
    },
    red: (...tasks: string[]) => said(handle(state, { kind: 'red', tasks, returned: RED })),
    decide: (task: string, choice: 'again' | 'drop') => said(handle(state, { kind: 'decided', task, choice })),
  };
}

test('a task begins when all that it waits for is merged, not when that is done', () => {
  const it = team([unit('a'), unit('b', ['a'])], 2);
  expect(it.start()).toEqual(['a→e1']);
  expect(it.submit('a')).toEqual([]);
  expect(it.merge('a')).toEqual(['b→e2']);
  expect(it.land('b')).toEqual(['success']);
});

test('a task begins from what landed last, in whatever order the outcomes are read', () => {
  const { state, start, submit } = team([unit('a'), unit('b'), unit('c', ['b'])], 2);
  start();
  submit('a');
  submit('b');
  handle(state, { kind: 'merged', task: 'b', result: 'with-a-and-b', order: 2 });
  handle(state, { kind: 'merged', task: 'a', result: 'with-a', order: 1 });
  expect(state.head).toBe('with-a-and-b');
});

test('what the tests of the whole name goes back to its author, and what waits for it is not begun again', () => {
  const it = team([unit('a'), unit('b', ['a'])], 2);
  it.start();
  it.land('a');
  expect(it.land('b')).toEqual(['success']);
  expect(it.red('a')).toEqual(['a→e1']);
  expect(taskOf(it.state, 'a')).toMatchObject({ attempt: 2, returned: RED });
  expect(it.state.merged).toEqual(['b']);
  expect(it.land('a')).toEqual(['success']);
  // Both are to blame: each waits for the other.
  expect(it.red('a', 'b')).toEqual(['a→e1']);
  expect(it.land('a')).toEqual(['b→e2']);
});

test('any completion is taken as it comes, and a slot is free once its candidate is submitted', () => {
  const it = team([unit('a'), unit('b'), unit('c')], 2);
  expect(it.start()).toEqual(['a→e1', 'b→e2']);
  expect(it.submit('b')).toEqual(['c→e2']);
  expect(it.land('c')).toEqual([]);
  expect(it.merge('b')).toEqual([]);
  expect(it.land('a')).toEqual(['success']);
});

test('what enables tests goes first, then what is upstream, simpler, and has the longest path after it', () => {
  const units = [
    unit('long'),
    unit('long2', ['long']),
    unit('plain'),
    unit('simple', [], { priority: { complexity: 1 } }),
    unit('tests', [], { priority: { enables_tests: true, complexity: 5 } }),
  ];
  const it = team(units, 8);
  expect(it.start()).toEqual(['tests→e1', 'simple→e2', 'long→e3', 'plain→e4']);
});

test('what comes back goes to its author, before anything new', () => {
  const it = team([unit('a'), unit('b'), unit('c'), unit('d')], 2);
  it.start();
  it.submit('a');
  expect(it.state.slots[0]?.task).toBe('c');
  expect(it.back('a')).toEqual([]);
  expect(it.submit('b')).toEqual(['d→e2']);
  expect(it.submit('c')).toEqual(['a→e1']);
  expect(taskOf(it.state, 'a')).toMatchObject({ attempt: 2, returned: RED, author: 0 });
});

test('after its returns are used up a task holds what has not begun and shares a file that is in dispute, and is in progress alone', () => {
  const it = team([unit('a'), unit('b'), unit('c', ['b']), unit('d', ['b'], { files: ['x.js'] })], 2);
  expect(it.start()).toEqual(['b→e1', 'a→e2']);
  expect(it.back('a')).toEqual(['a→e2']);
  const conflict: Returned = { reason: 'conflict', message: 'conflict', paths: ['x.js'] };
  expect(it.back('a', conflict)).toEqual(['join a']);
  expect(it.submit('b')).toEqual([]);
  expect(it.merge('b')).toEqual(['a→e2']);
  expect(taskOf(it.state, 'd')).toMatchObject({ stage: 'held' });
  expect(it.submit('a')).toEqual([]);
  expect(it.merge('a')).toEqual(['c→e1']);
  expect(it.land('c')).toEqual(['success']);
  expect(it.state.merged).toEqual(['b', 'a', 'd', 'c']);
});

test('then a person decides: again, with as many tries as before, or not at all', () => {
  const it = team([unit('a'), unit('b', ['a'])], 1);
  it.start();
  for (let i = 0; i < 3; i++) expect(it.back('a')).toEqual(['a→e1']);
  expect(it.back('a')).toEqual(['ask a']);
  expect(it.decide('a', 'again')).toEqual(['a→e1']);
  for (let i = 0; i < 3; i++) it.back('a');
  expect(it.back('a')).toEqual(['ask a']);
  expect(it.decide('a', 'drop')).toEqual(['failure']);
});

test('with some merged and one that nobody does any more it ends incomplete', () => {
  const it = team([unit('a'), unit('b')], 2, { returns: 1 });
  it.start();
  it.land('b');
  it.back('a');
  it.back('a');
  expect(it.decide('a', 'drop')).toEqual(['incomplete']);
});

test('once the busiest slot has used its rounds nothing is assigned any more', () => {
  const it = team([unit('a'), unit('b'), unit('c'), unit('d')], 2, { rounds: 2 });
  expect(it.start()).toEqual(['a→e1', 'b→e2']);
  expect(it.land('a')).toEqual(['c→e1']);
  expect(it.land('c')).toEqual([]);
  expect(it.land('b')).toEqual(['failure']);
});

test('a slot that has had its rounds leaves what comes back to another', () => {
  const it = team([unit('a'), unit('b')], 2, { roundsPerEngineer: 1, returns: 9 });
  expect(it.start()).toEqual(['a→e1', 'b→e2']);
  expect(it.back('a')).toEqual([]);
  expect(it.land('b')).toEqual(['failure']);
  const three = team([unit('a'), unit('b'), unit('c', ['b'])], 3, { roundsPerEngineer: 1 });
  expect(three.start()).toEqual(['b→e1', 'a→e2']);
  expect(three.back('a')).toEqual(['a→e3']);
});

describe.each([1, 2, 4, 8])('with %i engineers, whatever comes in whatever order', (engineers) => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed))('(order %i)', (seed) => {
    const pick = chance(seed * 8 + engineers);
    const units = Array.from({ length: 1 + pick(14) }, (_, i) => {
      const depends = Array.from({ length: pick(3) }, () => pick(Math.max(i, 1))).filter((other) => other < i);
      return unit(
        `t${i}`,
        [...new Set(depends)].map((other) => `t${other}`),
        { files: [`f${pick(6)}`], priority: { complexity: 1 + pick(5) } },
      );
    });
    const faults = pick(3) * 25;
    const limits = { rounds: 2 + pick(20), returns: 1 + pick(3), ...(pick(3) === 0 ? { roundsPerEngineer: 1 + pick(4) } : {}) };
    let state: TeamState = newTeam(units, engineers, limits);
    const merged = new Set<string>();
    let asks = 0;
    const see = (decisions: TeamDecision[]): void => {
      for (const one of decisions) {
        if (one.kind === 'ask') asks += 1;
        if (one.kind !== 'assign') continue;
        const at = taskOf(state, one.task);
        const members = [one.task, ...(at.holds ?? [])];
        for (const { id, depends_on } of units) {
          if (members.includes(id)) for (const before of depends_on) expect(merged.has(before) || members.includes(before)).toBe(true);
        }
        expect(merged.has(one.task)).toBe(false);
      }
    };
    see(handle(state, { kind: 'started' }));
    let steps = 0;
    let reds = 0;
    for (; ; steps++) {
      if (state.over === 'success' && reds < pick(3)) {
        const landed = state.tasks.filter(({ stage }) => stage === 'merged');
        const blamed = landed.filter((_, at) => at === 0 || pick(3) === 0);
        for (const { id, holds = [] } of blamed) for (const one of [id, ...holds]) merged.delete(one);
        reds += 1;
        see(handle(state, { kind: 'red', tasks: blamed.map(({ id }) => id), returned: RED, isGuess: pick(2) === 0 }));
      }
      if (state.over) break;
      expect(steps).toBeLessThan(3000);
      // Another execution takes over.
      state = JSON.parse(JSON.stringify(state));
      const working = state.tasks.filter(({ stage }) => stage === 'working');
      expect(working.length).toBeLessThanOrEqual(engineers);
      expect(working.map(({ id }) => id).sort()).toEqual(state.slots.flatMap(({ task }) => task ?? []).sort());
      const live = state.tasks.filter(({ stage }) => stage === 'working' || stage === 'submitted' || stage === 'asking');
      expect(live.length).toBeGreaterThan(0);
      const task = live[pick(live.length)]!;
      const isFault = pick(100) < faults;
      const returned: Returned = { reason: 'conflict', message: 'x', paths: [`f${pick(6)}`] };
      if (task.stage === 'asking')
        see(handle(state, { kind: 'decided', task: task.id, choice: asks < 3 && pick(2) === 0 ? 'again' : 'drop' }));
      else if (isFault) see(handle(state, { kind: 'returned', task: task.id, returned }));
      else if (task.stage === 'working') see(handle(state, { kind: 'submitted', task: task.id }));
      else {
        for (const id of [task.id, ...(task.holds ?? [])]) {
          expect(merged.has(id)).toBe(false);
          merged.add(id);
        }
        see(handle(state, { kind: 'merged', task: task.id, result: 'x' }));
      }
    }
    expect(new Set(state.merged)).toEqual(merged);
    expect(state.merged).toHaveLength(merged.size);
    expect(state.over === 'success').toBe(merged.size === units.length);
    expect(state.slots.every(({ task, rounds }) => task === undefined && rounds <= limits.rounds)).toBe(true);
    if (faults + reds === 0 && !limits.roundsPerEngineer && limits.rounds >= units.length) expect(state.over).toBe('success');
  });
});
