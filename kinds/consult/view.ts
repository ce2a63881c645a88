import type { AdviceOutcome } from '../../plan/patterns/advice';
import type { KindView } from '../../plan/steps/kind-view';
import type { ConsultMove } from './rules/advise';

/** The state of a consultation, as people see it while it is open and afterwards. */
export interface AdviceView {
  topic: string;
  question: string;
  /** The adviser whose answer is awaited, or was last. */
  asked: string;
  move: ConsultMove;
  /** How it ended. Absent while it is open. */
  outcome?: AdviceOutcome;
  /** The author of the final advice, and its confidence. */
  by?: string;
  confidence?: number;
}

/** Nobody's once it has ended. */
function awaitedAdviser({ asked, outcome }: AdviceView): string | undefined {
  return outcome === undefined ? asked : undefined;
}

/** `asks sec_agent about security, follow-up`, or the result. */
export function describeAdvice({ topic, asked, move, outcome, by, confidence }: AdviceView): string {
  if (outcome === undefined) return `asks ${asked} about ${topic}${move.followUp ? ', once more' : MOVES[move.ask]}`;
  const whose = by === undefined ? 'no advice' : `advice of ${by}, confidence ${confidence ?? 0}`;
  return outcome === 'advised' ? whose : `UNVERIFIED, ${whose}`;
}

const MOVES = { consultant: '', fallback: ', in place of a specialist', second_opinion: ', for a second opinion' } as const;

export const ADVICE_VIEW: KindView<'advice', AdviceView> = {
  key: 'advice',
  awaits(advice) {
    const name = awaitedAdviser(advice);
    return name === undefined ? undefined : `the advice of ${name}`;
  },
  facts: (advice) => [describeAdvice(advice)],
  news: describeAdvice,
};
