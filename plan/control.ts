import type { Plan } from './plan';
import type { Block, Step, StepKind } from './step';

/**
 * The part of a plan that controls a run. It is what enters workflow history, so it leaves out what only activities read:
 * commands, prompts and messages, however long, are found by them in the frozen plan.
 */
export const ACTIVITY_KEYS = ['command', 'cwd', 'env', 'stdin', 'prompt', 'input', 'message'] as const;

type WithoutWork<S> = S extends unknown ? Omit<S, (typeof ACTIVITY_KEYS)[number]> : never;

export type ControlStep = WithoutWork<Step>;
export type ControlOf<K extends StepKind> = Extract<ControlStep, { kind: K }>;

export type ControlBlock = Omit<Block, 'steps'> & { steps: ControlStep[] };
export type ControlPlan = Omit<Plan, 'block'> & { block: ControlBlock };

export function controlPlan(plan: Plan): ControlPlan {
  return { ...plan, block: { ...plan.block, steps: plan.block.steps.map(controlStep) } };
}

function controlStep(step: Step): ControlStep {
  const control: ControlStep & Partial<Record<(typeof ACTIVITY_KEYS)[number], unknown>> = { ...step };
  for (const key of ACTIVITY_KEYS) delete control[key];
  return control;
}
