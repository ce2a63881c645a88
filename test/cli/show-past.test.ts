import { happenedAt, isPast, whatThereIs } from '../../cli/past-step';
import type { JournalEntry } from '../../plan/run/journal';
import { block, execution, plan, review, subTask } from '../brief/replies';
import { playBrief } from '../interpreter/brief-play';
import { planFrom } from '../patterns/compiled';
import { runPlan, type World } from '../support/world';
import { runView, stepView } from './views';

/** What `show` has of steps whose turn is over: the journal names their addresses, and `status` has them no longer. */

async function* pagesOf(journal: readonly JournalEntry[]) {
  for (let at = 0; at < journal.length; at += 5) yield journal.slice(at, at + 5);
}

const LOOPS: [kind: string, text: string][] = [
  ['for_each', `steps: [{id: each, for_each: '["a", "b"]', steps: [{id: made, run: 'true', approval: Is it good?}]}]`],
  ['repeat', `steps: [{id: again, repeat: {until: round >= 2, max: 2, steps: [{id: made, run: 'true', approval: Is it good?}]}}]`],
];

async function answered(world: World): Promise<World> {
  for (let i = 0; i < 60; i++) {
    await world.settle();
    const [gate] = world.status().gates;
    if (gate) world.signal('respond', { step: gate.step, by: 'ann', response: 'approve' });
  }
  return world;
}

const RUNS: [kind: string, run: () => Promise<World>][] = [
  ...LOOPS.map(([kind, text]): [string, () => Promise<World>] => [
    kind,
    () => answered(runPlan(planFrom(text), { lists: { each: ['a', 'b'] } })),
  ]),
  [
    'brief',
    async () => {
      const played = playBrief({
        says: { planner: [block(plan(subTask('a')))], executor: ['x', 'x', block(execution('a'))], reviewer: [block(review('a', 'pass'))] },
        mode: 'gated',
        answers: ['confirm', 'confirm', ['retry', 'in JSON']],
      });
      await played.settle();
      return played.world;
    },
  ],
];

test.each(RUNS)('each gate of a turn that is over is shown with its question, its answer, who gave it and when: %s', async (_, run) => {
  const world = await run();
  const journal = world.journal();
  const opened = journal.flatMap((entry) => (entry.kind === 'gate' && entry.event === 'opened' ? [entry.step] : []));
  expect(opened.length).toBeGreaterThan(1);
  for (const step of opened) {
    expect([step, isPast(world.status(), step)]).toEqual([step, true]);
    const { entries: found } = await happenedAt(step, pagesOf(journal));
    expect(found).toContainEqual(expect.objectContaining({ kind: 'gate', event: 'opened', question: expect.stringMatching(/\S/) }));
    const decision = expect.objectContaining({ choice: expect.any(String), by: 'ann', at: expect.any(String) });
    expect(found).toContainEqual(expect.objectContaining({ kind: 'decision', decision }));
    expect(found.every((entry) => 'step' in entry && entry.step === step)).toBe(true);
  }
});

test('a round that is named is the only one shown', async () => {
  const at = '2026-01-01T00:00:00Z';
  const journal = ['a[1]/b', 'a[1]/b#2', 'a[1]/bc', 'a[11]/b'].map(
    (step, i): JournalEntry => ({ seq: i + 1, at, kind: 'step', step, state: 'done' }),
  );
  const steps = async (given: string) => (await happenedAt(given, pagesOf(journal))).entries.map(({ seq }) => seq);
  expect(await steps('a[1]/b')).toEqual([1, 2]);
  expect(await steps('a[1]/b#2')).toEqual([2]);
  expect(await steps('a[1]/b#1')).toEqual([1]);
  expect(await steps('a[9]/b')).toEqual([]);
});

test.each<[kind: string, given: string, there: string | undefined]>([
  ['for_each', 'each[9]/made', 'each has no iteration 9: it has 0 to 1'],
  ['for_each', 'each[1]/mde', 'each[1] has no mde: it has made'],
  ['for_each', 'each/made', undefined],
  ['repeat', 'again[0]/made', 'again has no round 0: it has 1 to 2'],
  ['brief', 'brief[99]/brief_planner', 'brief has no turn 99: it has 1 to 7'],
  ['brief', 'brief[1]/brief_reviewer', 'brief[1] has no brief_reviewer: it has brief_planner'],
  ['brief', 'nowhere[1]/brief_reviewer', undefined],
])('where nothing has happened, what there is is named: %s, %s', async (kind, given, there) => {
  const world = await RUNS.find(([one]) => one === kind)?.[1]();
  if (!world) throw new Error(kind);
  const { entries, places } = await happenedAt(given, pagesOf(world.journal()));
  expect(entries).toEqual([]);
  expect(whatThereIs(world.status(), given, places)).toBe(there);
});

test('a branch that there is not is named as one', () => {
  const view = runView([stepView('par', { kind: 'parallel' }), stepView('left', { address: 'par[0]/left' })]);
  const places = new Set(['par', 'par[0]/left', 'par[1]/right']);
  expect(whatThereIs(view, 'par[9]/left', places)).toBe('par has no branch 9: it has 0 to 1');
  expect(whatThereIs(view, 'par[1]/left', places)).toBe('par[1] has no left: it has right');
});
