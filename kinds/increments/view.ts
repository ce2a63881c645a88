import type { StepState } from '../../plan/run/step-state';
import { type KindView, type ShownItem, sentence } from '../../plan/steps/kind-view';
import { unreachable } from '../../plan/unreachable';
import type { DeliveryView, IncrementStatus, IncrementView } from './rules/words';

/** `2/4 increments, 50 %`. */
export function describeProgress({ completed, total_increments, progress_percent }: DeliveryView): string {
  return `${completed}/${total_increments} increments, ${progress_percent} %`;
}

/** `INCREMENT-3, attempt 2, after no_regression failed`; undefined once all are over. */
export function describeCurrent({ increments }: DeliveryView): string | undefined {
  const current = increments.find(({ status }) => status === 'IN_PROGRESS');
  return current && [current.id, incrementWords(current)].join(', ');
}

/** The state of an increment, in words. */
export function incrementWords({ attempts, status, failed = [], blockedBy }: IncrementView): string {
  const gates = failed.join(', ');
  switch (status) {
    case undefined:
      return 'not begun';
    case 'IN_PROGRESS':
      return attempts > 1 ? `attempt ${attempts}, after ${gates} failed` : `attempt ${attempts}`;
    case 'PASS':
      return attempts > 1 ? `passed with attempt ${attempts}` : 'passed';
    case 'BLOCKED':
      return blockedBy === undefined ? `blocked after attempt ${attempts}: ${gates} failed` : `blocked with ${blockedBy}`;
    case 'REVERTED':
      return 'reverted: the validation of the whole failed';
    default:
      return unreachable(status);
  }
}

/** As lines below the step. */
function shownIncrements({ increments }: DeliveryView): ShownItem[] {
  return increments.map((increment) => {
    const { id, status } = increment;
    return { id, words: incrementWords(increment), state: status === undefined ? 'pending' : STATES[status] };
  });
}

const STATES: Readonly<Record<IncrementStatus, StepState>> = {
  IN_PROGRESS: 'running',
  PASS: 'done',
  BLOCKED: 'failed',
  REVERTED: 'superseded',
};

export const DELIVERY_VIEW: KindView<'delivery', DeliveryView> = {
  key: 'delivery',
  current: describeCurrent,
  facts: (delivery) => [describeProgress(delivery)],
  news: (delivery) => sentence(describeProgress(delivery), describeCurrent(delivery)),
  // An increment ends with its turn, whose parts are gone by then with their times.
  isUntimed: true,
  items: shownIncrements,
};
