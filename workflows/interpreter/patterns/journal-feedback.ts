import type { Feedback } from '../../../plan/patterns/feedback';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';

/**
 * A feedback signal of a pattern in the run's journal. It is an effect: call it within `once`, or in the moment of the decision that it is
 * about.
 */
export function journalFeedback({ run }: Interpreter, { path }: Pick<Place, 'path'>, feedback: Feedback): void {
  run.journal.add({ kind: 'pattern', step: run.name(path), ...feedback });
}
