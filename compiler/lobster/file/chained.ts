import { chains } from '../../../kinds/questions';
import type { CommandStep, Step } from '../../../plan/step';

/**
 * Marks the commands of a sequence that may share an activity with the command before them: nothing is decided between the two,
 * neither by a condition nor by a person.
 */
export function markChained(steps: readonly Step[]): void {
  let before: CommandStep | undefined;
  for (const step of steps) {
    const next = chains(step) ? step : undefined;
    if (before && next && !before.approval && !next.approval && !next.when && before.queue === next.queue) next.chained = true;
    before = next;
  }
}
