import { defined } from '../../plan/defined';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { partOf, stored } from '../../workflows/interpreter/patterns/parts';
import { type BriefTeam, stateOf } from './coordinator';
import { CONFIRM_PART, OPERATOR_PART } from './model';
import type { CoordinatorEvent, Due } from './rules/events';

type Question = Extract<Due, { kind: 'confirm' | 'operator' }>;

/** Phase 0, and whatever stops a role, at a gate of its own. Without an answer the brief ends. */
export async function askPerson(team: BriefTeam, ctx: StepContext, due: Question): Promise<CoordinatorEvent> {
  const { it, place } = team;
  const { kind, number, choices, subtask } = due;
  const question = await decide<'question'>(it, place, ctx, `question-${number}`, () => {
    const { halt, plan, subtasks } = stateOf(team);
    const { execution, reports = {} } = subtasks.find(({ id }) => id === subtask) ?? {};
    const asked = halt && { why: halt.why, by: halt.by, reason: halt.reason };
    return {
      call: { rule: 'question', given: { choices, ...defined({ subtask, halt: asked }) } },
      documents: defined({ plan, execution, reviewer: reports.reviewer?.report, critic: reports.critic?.report, said: halt?.said }),
      readsMatter: true,
    };
  });
  const part = partOf(it, place, kind === 'confirm' ? CONFIRM_PART : OPERATOR_PART);
  const { values = {} } = await ctx.step(part, { turn: number, given: { question: question.artifact }, choices });
  const { decision, comment: said } = values;
  const choice = choices.find((one) => one === decision) ?? 'stop';
  const comment = typeof said === 'string' ? await stored(it, place, ctx, `comment-${number}`, () => said) : undefined;
  return { kind: 'answered', choice, ...defined({ comment }) };
}
