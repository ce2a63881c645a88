export const STEP_STATES = ['pending', 'running', 'waiting', 'held', 'done', 'skipped', 'failed', 'superseded'] as const;
export type StepState = (typeof STEP_STATES)[number];

/** A step has begun in this round and not ended. */
export function isUnderWay(state: StepState): boolean {
  return state === 'running' || state === 'waiting' || state === 'held';
}

/** A step has nothing more to do in this round. */
export function isSettled(state: StepState): boolean {
  return state === 'done' || state === 'skipped' || state === 'failed';
}
