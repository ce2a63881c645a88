import { defined } from '../plan/defined';
import type { RunView, StepView } from '../plan/run/status';

/** A step that was skipped because its condition was false: nothing waits for it, and nobody has to do anything. */
export interface SkippedReason extends Pick<StepView, 'item'> {
  kind: 'skipped';
  step: string;
  /** The compared values. */
  text: string;
}

const SHOWN = 10;

/** The last skipped steps of a run, with why. */
export function skippedReasons({ steps }: Pick<RunView, 'steps'>): SkippedReason[] {
  return steps
    .flatMap(({ address, item, skipped }): SkippedReason[] =>
      skipped === undefined ? [] : [{ kind: 'skipped', step: address, text: `was skipped: ${skipped}`, ...defined({ item }) }],
    )
    .slice(-SHOWN);
}
