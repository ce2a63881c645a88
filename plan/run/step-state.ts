export const STEP_STATES = ['pending', 'running', 'waiting', 'held', 'done', 'skipped', 'failed', 'superseded'] as const;
export type StepState = (typeof STEP_STATES)[number];

/** A step has nothing more to do in this round. */
export function isSettled(state: StepState): boolean {
  return state === 'done' || state === 'skipped' || state === 'failed';
}
