import { mergeBranches } from '../../activities/containers/merge-branches';
import type { ParallelStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { freshly } from '../interpreter/program';
import { fails } from '../support/behaviours';
import { agent, parallel } from '../support/steps';
import { planOf, runPlan, type World, type WorldOptions } from '../support/world';

import { playFile } from './file-play';

/** Several angles give one list (docs/patterns.md, CP-3): every result counts, and missing ones are named. */
const MINUTE = 60_000;
const SOME: Partial<ParallelStep> = { wait: 'some', timeoutMs: 5 * MINUTE, merge: { how: 'union', key: 'file' } };

function play(steps: WorldOptions['steps'], more: WorldOptions = {}): World {
  const branches = ['security', 'speed', 'style'].map((id) => agent(id));
  return runPlan(planOf([parallel('look', branches, SOME)]), { ...more, ...(steps ? { steps } : {}) });
}

const composed = (world: World) => world.composed['look#1~1/compose'];
const never = () => new Promise<never>(() => undefined);

test('CP-3 · workflow · all branches are waited for, and merged', async () => {
  const world = play({});
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(Object.values(composed(world)?.kind === 'branches' ? (composed(world) as { results: object }).results : {})).not.toContain(null);
});

test('CP-3 · roles · each branch is its own step, with an agent of its own', async () => {
  const world = play({});
  await world.result;
  expect(world.order().sort()).toEqual(['look[0]/security#1~1', 'look[1]/speed#1~1', 'look[2]/style#1~1']);
});

describe('what the branches say', () => {
  const merge = (branches: Record<string, Json>, more = {}) =>
    mergeBranches({ how: 'weighted', key: 'file', ...more }, new Map(Object.entries(branches)));

  test('CP-3 · success · a branch counts by its weight, and what weighs too little is left out', () => {
    const [A, B] = [{ file: 'a' }, { file: 'b' }];
    const weights = { security: 3 };
    expect(merge({ security: [A], speed: [B] }, { weights }).merged).toEqual([
      { ...A, weight: 0.75 },
      { ...B, weight: 0.25 },
    ]);
    expect(merge({ security: [A], speed: [B] }, { weights, minWeight: 0.3 }).merged).toEqual([{ ...A, weight: 0.75 }]);
  });

  test('CP-3 · success · the weightier side of a conflict prevails, and the conflict is listed', () => {
    const [safe, unsafe] = [
      { file: 'a', safe: true },
      { file: 'a', safe: false },
    ];
    const { merged, conflicts } = merge({ security: [unsafe], speed: [safe], style: [safe] }, { weights: { security: 3 } });
    expect(merged).toMatchObject([{ safe: false }]);
    expect(conflicts).toHaveLength(1);
  });
});

test('CP-3 · fallbacks · a branch that fails is missing, and the others are merged', async () => {
  const world = play({ speed: fails });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(composed(world)).toMatchObject({ results: { speed: null } });
  expect(world.step('look')).toMatchObject({ state: 'done' });
});

test('CP-3 · fallbacks · if every branch fails, the step fails', async () => {
  const world = play({ security: fails, speed: fails, style: fails });
  await expect(world.result).rejects.toMatchObject({ code: 'parallel.branch-failed' });
});

test('CP-3 · time-out · what came by then is merged, and who is late is missing', async () => {
  const world = play({ style: never });
  await world.completes();
  expect(composed(world)).toMatchObject({ results: { style: null }, timedOut: true });
});

test('CP-3 · time-out · if nothing came, the step fails', async () => {
  const world = play({ security: never, speed: never, style: never });
  await world.elapse();
  await expect(world.result).rejects.toMatchObject({ code: 'parallel.timeout' });
});

test('CP-3 · entry · a file says how to merge in one word or in a mapping', () => {
  // The mistakes are tested by the golden case test/cases/shape.merge-words.case.
  expect(mergeBranches({ how: 'union', key: 'file' }, new Map([['one', ['x']]]))).toEqual({ merged: ['x'], conflicts: [] });
});

test('CP-3 · cancel · every branch is called off', async () => {
  const world = play({ security: never, speed: never, style: never });
  await world.settle();
  world.cancel();
  await expect(world.result).rejects.toBeDefined();
  expect(world.order()).toHaveLength(3);
});

test('CP-3 · continue-as-new · branches that are done are not done again', async () => {
  const fresh = freshly();
  const world = play(
    { style: ({ call }) => new Promise((resolve) => call.clock.after(MINUTE, () => resolve({}))) },
    { historyIsFull: fresh.historyIsFull },
  );
  await fresh.toTheEnd(world);
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.executions).toBeGreaterThan(1);
  expect(world.order().filter((address) => !address.includes('style'))).toHaveLength(2);
});

describe('what follows if the branches disagree', () => {
  const FILE = `name: p
owner: lead
agents: {lead: {role: Leads.}, a: {role: Looks.}, b: {role: Looks too.}}
steps:
  - id: look
    merge: {how: union, key: file}
    parallel: [{id: left, agent: a}, {id: right, agent: b}]
    on_conflict: {consensus: {voters: [a, b], rounds: 1}}
    summarise_by: lead
`;
  const VOTE = { proposalId: 'look_decide-1', vote: 'APPROVE', rationale: 'so it is' };
  const votes = { look_decide_a: [{ json: VOTE }], look_decide_b: [{ json: VOTE }], look_summary: [{ text: 'in short' }] };
  const finds = (safe: boolean) => [{ json: [{ file: 'a.ts', safe }] }];

  test('CP-3 · fallbacks · branches that disagree are voted on, and somebody sums it up', async () => {
    const { view, calls } = await playFile(FILE, { left: finds(true), right: finds(false), ...votes });
    expect(view.state).toBe('completed');
    expect(['look_decide_a', 'look_decide_b', 'look_summary'].map(calls)).toEqual([1, 1, 1]);
  });

  test('CP-3 · success · branches that agree are not voted on', async () => {
    const { view, calls } = await playFile(FILE, { left: finds(true), right: finds(true), ...votes });
    expect(view.state).toBe('completed');
    expect(['look_decide_a', 'look_summary'].map(calls)).toEqual([0, 1]);
  });

  test('CP-3 · success · branches that have not run are neither voted on nor summed up', async () => {
    const skipped = FILE.replace('  - id: look\n', '  - id: look\n    when: "false"\n');
    const { view, calls } = await playFile(skipped, { left: finds(true), right: finds(false), ...votes });
    expect(view.state).toBe('completed');
    expect(['left', 'look_decide_a', 'look_summary'].map(calls)).toEqual([0, 0, 0]);
  });

  describe('CP-3 · workflow · in a graph the vote and the summary are after the branches', () => {
    const GRAPH = `${FILE.replace('    summarise_by', '    depends_on: []\n    summarise_by')}  - {id: tell, agent: b, depends_on: [look_summary]}\n`;
    const all = ['look_decide_a', 'look_summary', 'tell'];
    test.each([
      ['where they disagree', false, [1, 1, 1]],
      ['where they agree', true, [0, 1, 1]],
    ])('%s', async (_, safe, expected) => {
      const told = { ...votes, tell: [{ text: 'told' }] };
      const { view, calls } = await playFile(GRAPH, { left: finds(true), right: finds(safe), ...told });
      expect(view.state).toBe('completed');
      expect(all.map(calls)).toEqual(expected);
    });
  });
});
