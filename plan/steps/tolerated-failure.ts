import { FAILURES, type FailureCode } from '../run/failure';
import type { StepBase } from './step-base';

/**
 * Whether a step that fails like this is over at once and the others continue: it is not tried again, nobody is asked, and nothing else is
 * done.
 */
export function goesOnPast({ retry, onError = [] }: Pick<StepBase, 'retry' | 'onError'>, code: FailureCode): boolean {
  const [only, more] = onError;
  return retry === undefined && FAILURES[code].retried === 'never' && code !== 'action.unknown' && only?.kind === 'continue' && !more;
}
