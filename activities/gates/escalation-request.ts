import type { GateInput } from '../../plan/people/gate-activities';
import { ADVICE_LIMIT } from '../../plan/steps/escalation';
import type { Step } from '../../plan/steps/step';
import { inOneLine } from '../../plan/text/quoted';
import { shortened } from '../../plan/text/shortened';
import { QUESTION_LIMIT } from './gate-question';

/** How much of the escalation's reason always stays in the question, however long the chain's answers are. */
const REASON_LEAST = 300;

/**
 * The question of an escalation: why the matter came to a person, and the answers of earlier members of the chain, in full for the
 * document. `brief` is the same within the limit of a question: every answer is in it, shortened.
 */
export function escalationRequest(step: Step, { reason, before }: NonNullable<GateInput['escalation']>): { asked: string; brief?: string } {
  const head = `Step "${step.id}" needs a decision: `;
  if (!before) return { asked: `${head}${reason}` };
  // A line each: nobody's answer passes for another member's.
  const answers = before.map(({ agent, said }) => ({ agent, said: inOneLine(said) }));
  const words = answers.map(({ agent, said }) => `${agent} ${shortened(said, ADVICE_LIMIT)}`);
  const left = QUESTION_LIMIT - head.length - words.join('\n').length - 1;
  return {
    asked: [`${head}${reason}`, ...answers.map(({ agent, said }) => `${agent} ${said}`)].join('\n'),
    brief: [`${head}${shortened(reason, Math.max(REASON_LEAST, left))}`, ...words].join('\n'),
  };
}
