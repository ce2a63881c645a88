import type { RunView, StepView } from '../../plan/run/status';

/** The board of a team's run; undefined before it is open. */
export function boardOf({ steps }: Pick<RunView, 'steps'>): StepView['board'] {
  return steps.find(({ board }) => board !== undefined)?.board;
}
