import type { RunEnd } from '../../plan/run/run-end';
import { unreachable } from '../../plan/unreachable';
import type { RunEnding } from './run-ending';

/** How the work ended, as expressions and messages read it; undefined while it continues. */
export function runEnd(ending: RunEnding | undefined): RunEnd | undefined {
  switch (ending?.kind) {
    case undefined:
      return undefined;
    case 'failed':
      return { state: 'failed', error: `${ending.code}: ${ending.message}`, ...at(ending.step) };
    case 'rejected':
      return { state: 'rejected', error: ending.reason, ...at(ending.step) };
    case 'completed':
    case 'cancelled':
      return { state: ending.kind };
    default:
      return unreachable(ending);
  }
}

function at(step: string | undefined): Pick<RunEnd, 'failedStep'> {
  return step === undefined ? {} : { failedStep: step };
}
