import { shownOf } from '../../../kinds/questions';
import { type KindViews, traitsOf } from '../../../kinds/traits';
import type { ControlStep } from '../../../plan/steps/control';
import { KEEPS } from '../state/kept-by-kind';
import type { StepRecord } from '../state/step-record';

/** What people see of what a step's kind keeps, under the kind's own key. */
export function kindViews(step: ControlStep, { kept, state }: StepRecord): KindViews {
  const isAtWork = state === 'running' || state === 'waiting';
  const view = kept && KEEPS[kept.kind]?.shown?.(kept, step, isAtWork);
  const words = kept && traitsOf(kept.kind).view;
  return words && view !== undefined ? { [words.key]: view } : {};
}

/** Who or what a step at work waits for, in the words of its kind. */
export function awaitedOfKind(step: ControlStep, record: StepRecord): string | undefined {
  const shown = shownOf({ kind: step.kind, ...kindViews(step, record) });
  return shown?.words.awaits?.(shown.view);
}
