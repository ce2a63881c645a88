import type { Plan } from '../../plan/plan';
import { block, execution, plan, review, subTask } from '../brief/replies';
import { artifact, runPlan, type StepBehaviour } from '../support/world';
import { type BriefOptions, playBrief } from './brief-play';
import { carry, rerun } from './carrying';
import { freshly } from './program';
import { need } from './spending';

/** A brief that is started without a shell is without one to its end, however it comes there. */

const does = (id: string) => block(execution(id));
const passes = (id: string) => block(review(id, 'pass'));
const SAYS = { planner: [block(plan(subTask('a'), subTask('b')))], executor: [does('a'), does('b')], reviewer: [passes('a'), passes('b')] };

function withoutShell(plan: Plan): Plan {
  const steps = plan.block.steps.map((step) => (step.kind === 'brief' ? { ...step, noShell: true as const } : step));
  return { ...plan, block: { ...plan.block, steps } };
}

test('a run without a shell is without one after a ceiling, in whichever execution, and so is its rerun', async () => {
  const fresh = freshly();
  const paying: StepBehaviour = ({ input }) => ({
    ...need(900, input),
    ...((input.budget?.tokens ?? 0) >= 900 ? { artifact: artifact('said-paid') } : {}),
  });
  const options: BriefOptions = {
    ...{ says: SAYS, more: 'budgets: {max_tokens: 500}', steps: { brief_reviewer: paying }, documents: () => passes('a') },
    historyIsFull: fresh.historyIsFull,
    begin: (plan, more) => runPlan(withoutShell(plan), more),
  };
  const brief = playBrief(options);
  await brief.settle();
  await brief.world.update('extend_budget', { tokens: 10_000 });
  await fresh.again(brief.world);
  await brief.settle();
  expect(brief.world.executions).toBeGreaterThan(1);
  const again = playBrief({
    ...options,
    begin: (plan, more) => rerun(withoutShell(plan), carry(brief.world, 'brief[2]/brief_executor').carry, more),
  });
  await again.settle();
  for (const { world, calls } of [brief, again]) {
    expect(calls).toContain('executor');
    const authorities = world.seen.flatMap(({ input: { authority } }) => authority ?? []);
    expect(authorities.length).toBeGreaterThan(1);
    expect(authorities.filter(({ noShell }) => !noShell)).toEqual([]);
  }
});

test.each([
  [false, []],
  [true, [{ step: 'brief[3]/brief_operator' }]],
])('what a shell is announced for passes if it is granted for ever, unless the run has none: %s', async (isWithout, gates) => {
  const brief = playBrief({
    says: { ...SAYS, executor: [`I will kill the server process.\n${does('a')}`, does('b')] },
    lasting: ['shell_exec'],
    begin: (plan, more) => runPlan(isWithout ? withoutShell(plan) : plan, more),
  });
  await brief.settle();
  expect(brief.world.status().gates).toMatchObject(gates);
});
