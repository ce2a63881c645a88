import { createColors } from 'picocolors';
import { budgetLines } from '../../cli/rendering/budget';
import { describePolicies, policiesOf } from '../../cli/rendering/policy';
import { BRIEF_DESCRIPTION } from '../../kinds/brief/describe';
import { type BriefView, describeBrief } from '../../kinds/brief/view';
import { headedQuestion } from '../../plan/people/headed-question';
import type { BriefStep } from '../../plan/steps/step';
import { briefText, playBrief } from '../interpreter/brief-play';
import { planFrom } from '../patterns/compiled';
import { block, plan, subTask } from './replies';

/** The words that people read of a brief. */

const stepOf = (): BriefStep => {
  const step = planFrom(briefText()).block.steps[0];
  if (step?.kind !== 'brief') throw new Error('no brief');
  return step;
};

it('a graph names the roles of the team', () => {
  expect(BRIEF_DESCRIPTION.label(stepOf(), undefined)).toBe('site: planner, executor, reviewer');
});

it('a ceiling for calls of tools is one for a sub-task', async () => {
  const lines = describePolicies(policiesOf(stepOf()), BRIEF_DESCRIPTION.each);
  expect(lines).toContainEqual(expect.stringContaining('15 tool calls a sub-task'));
  const { world } = playBrief({ says: { planner: ['silence'] } });
  await world.settle();
  const { budget } = world.step('brief');
  if (!budget) throw new Error('no budget');
  expect(budgetLines('brief', budget, createColors(false), BRIEF_DESCRIPTION.each)).toContain('at most 15 tool calls a sub-task\n');
});

it('the plan is confirmed as a whole, and then each sub-task', async () => {
  const says = { planner: [block(plan(subTask('a'), subTask('b')))] };
  const brief = playBrief({ says, mode: 'gated', answers: ['confirm'] });
  for (let i = 0; i < 12; i++) await brief.world.settle();
  const shown = () => describeBrief(brief.world.step('brief').brief as BriefView);
  const asked = () => headedQuestion(String(Object.values(brief.world.ruled).at(-1)));
  expect([shown(), asked()]).toEqual(['dispatch: the plan', 'Confirm: Begin with this plan of 2 sub-tasks?']);
  await brief.settle();
  expect([shown(), asked()]).toEqual(['dispatch: 1 of 2, "a"', 'Confirm: Begin with the sub-task `a`?']);
});
