import { unauthorised } from '../../plan/brief/category';
import { findActions } from '../../plan/brief/detectors';
import type { HandOff } from '../../plan/brief/hand-off';

/** A sub-task that speaks of something that the brief does not authorise: somebody will be asked, or it is denied. */
export interface PlanWarning {
  subTask: string;
  category: string;
  sentence: string;
}

export function planWarnings({ subtasks }: HandOff<'plan'>, authorized: readonly string[]): PlanWarning[] {
  return subtasks.flatMap(({ id, title, instruction, acceptance_criteria }) =>
    findActions([title, instruction, ...acceptance_criteria].join('\n'))
      .filter(({ category }) => unauthorised(authorized, [category]).length > 0)
      .map(({ category, sentence }) => ({ subTask: id, category, sentence })),
  );
}
