import { SAID_LIMIT } from '../../plan/escalation';
import type { GateInput } from '../../plan/gate-work';
import type { Step } from '../../plan/step';
import { cut, QUESTION_LIMIT } from './question';

/** However much was said before, so much of why the matter came up stays in the question. */
const REASON_LEAST = 300;

/**
 * The question of an escalation: why the matter came to a person, and what each before in the chain has said, in full for the document.
 * `brief` is the same within the limit of a question: everybody's word is in it, shortened.
 */
export function escalated(step: Step, { reason, chain, before }: NonNullable<GateInput['escalation']>): { asked: string; brief?: string } {
  if (!before) {
    // A run of before agents were asked names them.
    const way = chain.length > 1 ? ` (by way of ${chain.slice(0, -1).join(', ')})` : '';
    return { asked: `Step "${step.id}" needs a decision${way}: ${reason}` };
  }
  const head = `Step "${step.id}" needs a decision: `;
  const words = before.map(({ agent, said }) => `${agent} ${cut(said, SAID_LIMIT)}`);
  const left = QUESTION_LIMIT - head.length - words.join('\n').length - 1;
  return {
    asked: [`${head}${reason}`, ...before.map(({ agent, said }) => `${agent} ${said}`)].join('\n'),
    brief: [`${head}${cut(reason, Math.max(REASON_LEAST, left))}`, ...words].join('\n'),
  };
}
