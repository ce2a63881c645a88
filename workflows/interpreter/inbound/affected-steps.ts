import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { pathById } from '../steps/expression-scope';
import { failedSteps, retryFailed } from './failed-step';
import { answerHeldStep, ownHeldSteps } from './held-steps';

/** Steps that were blocked by what is solved now go on, as where an operator has them retried: those that are held, and those that have failed in a run that continues. */
export function resumeAffected(it: Interpreter, from: Place, ids: readonly string[]): void {
  const { run } = it;
  const paths = new Set(ids.flatMap((id) => pathById(run, from.frame, id) ?? []));
  for (const { path, record } of ownHeldSteps(run)) {
    if (!paths.has(path)) continue;
    answerHeldStep(record, { kind: 'retry' });
    run.wake(`operator:${path}`);
  }
  for (const failed of failedSteps(it)) if (paths.has(failed.place.path)) retryFailed(it, failed);
}
