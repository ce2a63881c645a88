import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { pathById } from '../steps/expression-scope';
import { failedSteps, retryFailed } from './failed-step';
import { answerHeldStep, ownHeldSteps } from './held-steps';

/**
 * Steps that the solved problem had blocked continue, as if an operator had retried them: held ones, and failed ones in a continuing run.
 */
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
