import type { DryRun, DryRunRequest, DryStep } from '../../cli/dry-run/dry-run-model';
import type { Plan } from '../../plan/plan';
import type { Block, Step } from '../../plan/steps/step';
import { NESTED, NESTED_BLOBS } from './nested-plan';

/** The args and inputs of the plans in these tests. */
export const ARGS = {
  topic: "o'neill & sons",
  files: [{ name: 'a' }, { name: 'b' }],
  token: 'secret://env/TOKEN',
};

export const set = <T>(value: T) => ({ value, source: 'a test' });
const SETTINGS = { models: set({}), adapters: set({}), defaultAdapter: set('scripted') };
export const request = (over: Partial<DryRunRequest> = {}): DryRunRequest => ({
  plan: NESTED,
  blobs: NESTED_BLOBS,
  args: ARGS,
  settings: SETTINGS,
  ...over,
});

function everyStep(steps: readonly DryStep[]): DryStep[] {
  return steps.flatMap((step) => [step, ...everyStep(step.steps ?? []), ...everyStep(step.finally ?? [])]);
}

export const byId = (run: DryRun): Map<string, DryStep> =>
  new Map([...everyStep(run.steps), ...everyStep(run.finally ?? [])].map((step) => [step.id, step]));

export const planOf = (order: Block['order'], steps: Step[]): Plan => ({
  irVersion: 2,
  name: 'p',
  source: '0'.repeat(64),
  trigger: { kind: 'manual' },
  block: { order, steps },
});
