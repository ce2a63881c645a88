import { block, execution, plan, review, subTask } from '../brief/replies';
import { pipeline, reviewed } from '../support/steps';
import { planOf, runPlan } from '../support/world';
import { briefText, playBrief } from './brief-play';

/** A brief within containers: the addresses of its parts have those of what is around it. */

const STEP = briefText().split('\n').slice(1, 3);
const indented = STEP.map((line) => `    ${line}`).join('\n');
const reply = block(execution('a'));
const says = {
  planner: [block(plan(subTask('a'))), block(plan(subTask('a')))],
  executor: [reply, reply],
  reviewer: [block(review('a', 'pass')), block(review('a', 'pass'))],
};

describe('a brief within', () => {
  it.each([
    ['for_each', `steps:\n  - {id: list, run: ls}\n  - id: each\n    for_each: "\${list.output}"\n    steps:\n${indented}\n`, 6],
    ['parallel', `steps:\n  - id: both\n    parallel:\n${indented}\n`, 3],
  ])('%s', async (_kind, text, calls) => {
    const brief = playBrief({ text, lists: { each: [1, 2] }, says });
    for (let i = 0; i < 100; i++) await brief.world.settle();
    expect(brief.calls).toHaveLength(calls);
    expect(brief.world.status().state).toBe('completed');
    expect(new Set(brief.world.order()).size).toBe(brief.world.order().length);
  });
});

it.each([
  ['its own run: `brief resume` raises it', undefined, 'brief[2]/brief_executor', true],
  ['a child pipeline, which `brief resume` does not reach: `budget` raises it', 'inner', 'outer/brief[2]/brief_executor', undefined],
] as const)('a brief that is held at a ceiling in %s', async (_, child, step, roleTeam) => {
  const brief = playBrief({
    says: { ...says, executor: [] },
    steps: { brief_executor: () => ({ paused: { kind: 'budget', short: { kind: 'tokens', needed: 60_000 } } }) },
    begin: (plan, options) =>
      child
        ? runPlan(planOf([pipeline('outer', child)]), { ...options, children: { [child]: { ...plan, name: child } } })
        : runPlan(plan, options),
  });
  await brief.settle();
  const [gate] = brief.world.status().gates;
  expect([gate?.kind, gate?.step, gate?.roleTeam]).toEqual(['budget', step, roleTeam]);
});

it('a brief that a review sends back is planned anew, with the findings', async () => {
  const text = `agents: {judge: {role: You judge.}}\nsteps:\n${STEP.join('\n')}
  - {id: check, type: review, of: brief, agent: judge, on_revise: "retry(brief, max=2)"}\n`;
  const verdicts = ['revise', 'pass'] as const;
  let judged = 0;
  const brief = playBrief({ text, says, steps: { check: () => reviewed(verdicts[judged++] ?? 'pass') } });
  for (let i = 0; i < 100; i++) await brief.world.settle();
  expect(brief.world.status().state).toBe('completed');
  const asked = brief.world.seen.flatMap(({ call, input }) => {
    const { address = '' } = call.options;
    return address.includes('/brief_') ? [[address, input.findings?.review]] : [];
  });
  expect(asked).toEqual([
    ['brief[1]/brief_planner#1~1', undefined],
    ['brief[2]/brief_executor#1~1', undefined],
    ['brief[3]/brief_reviewer#1~1', undefined],
    ['brief[1]/brief_planner#2~1', 'check'],
    ['brief[2]/brief_executor#2~1', undefined],
    ['brief[3]/brief_reviewer#2~1', undefined],
  ]);
});
