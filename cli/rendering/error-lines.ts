import { defined } from '../../plan/defined';
import type { ErrorView, RunView, StepView } from '../../plan/run/status';
import { isWithin, parseAddress } from '../../plan/steps/address';
import { isWithinStep, pathOfStep } from './step-tree';

type Failed = StepView & { error: ErrorView };

/**
 * Shows each failure once. A container's message holds that of its inner step, and the run's holds both: the step's own is shown in full
 * below the tree, and a container shows only what it adds.
 */
export interface ErrorLines {
  /** The part of a step's error to show on its line; undefined: none. */
  beside(step: StepView): ErrorView | undefined;
  /** Below the tree. */
  below?: ErrorView & { step?: string };
}

export function errorLines({ steps, error }: Pick<RunView, 'steps' | 'error'>): ErrorLines {
  const failed = steps.filter((step): step is Failed => step.error !== undefined && step.state === 'failed');
  const origin = error && originOf(error, failed);
  const below = origin === undefined ? error : { ...origin.error, step: pathOfStep(origin) };
  return {
    beside(step) {
      if (step === origin || step.error === undefined) return undefined;
      const inner = failed.find((one) => isWithinStep(one, step) && step.error?.message.includes(one.error.message));
      return inner === undefined ? step.error : added(step.error, inner.error);
    },
    ...defined({ below }),
  };
}

/** The innermost step whose failure is the run's. */
function originOf({ message, step }: ErrorView & { step?: string }, failed: readonly Failed[]): Failed | undefined {
  const named = step === undefined ? undefined : placeIn(step);
  const fitting = failed.filter(
    (one) => message.includes(one.error.message) && (named === undefined || pathOfStep(one) === named || isWithin(pathOfStep(one), named)),
  );
  return fitting.sort((a, b) => depthOf(b) - depthOf(a))[0];
}

/** The part of a container's message before the inner failure. */
function added({ code, message }: ErrorView, inner: ErrorView): ErrorView | undefined {
  const before = message.slice(0, message.indexOf(inner.message));
  const own = before.replace(/(?:step \S+:\s*)?(?:[a-z-]+\.[a-z.-]+:\s*)?$/, '').replace(/[:\s]+$/, '');
  return own === '' ? undefined : { code, message: own };
}

function placeIn(address: string): string {
  return address.replace(/[#~]\d+/g, '');
}

function depthOf({ address }: StepView): number {
  return parseAddress(address)?.path.length ?? 1;
}
