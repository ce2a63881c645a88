export const STEP_STATES = ['pending', 'running', 'waiting', 'held', 'done', 'skipped', 'failed', 'superseded'] as const;
export type StepState = (typeof STEP_STATES)[number];

/** A step has begun in this round and not ended. */
export function isUnderWay(state: StepState): boolean {
  return state === 'running' || state === 'waiting' || state === 'held';
}

/** The metric that counts ends of steps. */
export const STEPS_ENDED = {
  name: 'thermidor_steps_total',
  help: 'Steps that have ended, by kind and state; each round counts',
  labels: ['kind', 'end'],
} as const;

/** How a round of a step ends. */
export type StepEnd = Extract<StepState, 'done' | 'skipped' | 'failed'>;

/** A step has nothing more to do in this round. */
export function isSettled(state: StepState): state is StepEnd {
  return state === 'done' || state === 'skipped' || state === 'failed';
}
