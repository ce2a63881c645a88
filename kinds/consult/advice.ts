import { defined, unlessEmpty } from '../../plan/defined';
import type { Advice, AdviceOutcome } from '../../plan/patterns/advice';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { positionKeeper } from '../../workflows/interpreter/patterns/positions';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { type AdviseGiven, type AdviseValues, NO_ANSWER_IN_TIME } from './rules/advise';
import type { ConsultPosition } from './state';
import type { AdviceView } from './view';

/** The shared state of a consultation: the step, and what is kept of it for people and for a further try. */
export interface ConsultStepAt {
  it: Interpreter;
  place: PlaceOf<'consult'>;
}

export const positionsOf = (step: ConsultStepAt) => positionKeeper(step, 'consult');

export function keepPosition(step: ConsultStepAt, position: ConsultPosition): void {
  const { move, question } = position;
  const view: AdviceView = { topic: step.place.step.topic, question, asked: nameOf(step, position), move };
  positionsOf(step).keep(position, { view });
  step.it.changed();
}

export function viewOf(step: ConsultStepAt): AdviceView {
  return positionsOf(step).kept().view ?? { topic: step.place.step.topic, question: '', asked: '', move: { ask: 'consultant' } };
}

/** Journals that an agent is asked. The full question is in the store. */
export function noteRequest(step: ConsultStepAt, position: ConsultPosition): void {
  const { it, place } = step;
  const { topic, urgency } = place.step;
  const { question, options, record } = position;
  const context = { $ref: record.name ?? topic, sha256: record.sha256 };
  const data = { topic, question, context, ...defined({ options: unlessEmpty(options) }), urgency };
  journalFeedback(it, place, { type: 'consult_request', to: nameOf(step, position), data });
}

export function noteAnswer(
  step: ConsultStepAt,
  position: ConsultPosition,
  advice: Advice | undefined,
  { failed, late }: Pick<AdviseGiven, 'failed' | 'late'>,
): void {
  const { it, place } = step;
  const from = nameOf(step, position);
  if (advice) journalFeedback(it, place, { type: 'consult_response', from, data: advice });
  else
    journalFeedback(it, place, {
      type: 'consult_response',
      from,
      refused: failed ?? (late ? NO_ANSWER_IN_TIME : 'gave no advice'),
      data: {},
    });
}

function nameOf({ place }: ConsultStepAt, { move }: ConsultPosition): string {
  return place.step.advisers.find(({ as }) => as === move.ask)?.name ?? '';
}

/** How a consultation ended. */
export type Consulted = Omit<AdviseValues, 'next' | 'answer'> & { outcome: AdviceOutcome; record: ArtifactRef };

/** Nothing of it is left to continue. */
export function conclude(step: ConsultStepAt, { outcome, by, confidence }: Consulted): void {
  const view: AdviceView = {
    ...viewOf(step),
    outcome,
    ...defined({ by, confidence }),
  };
  positionsOf(step).conclude({ view });
  step.it.changed();
}
