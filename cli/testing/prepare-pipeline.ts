import type { Compiled } from '../../compiler/compile';
import { childPlans } from '../../compiler/test-file/child-plans';
import type { Plan } from '../../plan/plan';
import type { ControlRef } from '../../plan/run/artifact';
import type { Step } from '../../plan/steps/step';
import { stepsOfPlan } from '../../plan/steps/walk';

/** What all tests of one pipeline share: its frozen plan and those of its children, stored once. */
export interface PreparedPipeline {
  plan: Plan;
  planRef: ControlRef<'plan'>;
  /** The plan by its digest. */
  frozen: ReadonlyMap<string, Buffer>;
  /** The plan's blobs, by digest. */
  base: ReadonlyMap<string, Buffer>;
  /** Plans by their names, the pipeline's own and its children's. */
  plans: ReadonlyMap<string, PreparedPlan>;
}

export interface PreparedPlan {
  plan: Plan;
  steps: ReadonlyMap<string, Step>;
}

export function preparePipeline({ plan, planText, planSha256, blobs }: Compiled): PreparedPipeline {
  const bytes = Buffer.from(planText);
  const frozen = new Map([[planSha256, bytes]]);
  const base = new Map([...blobs].map(([digest, { content }]) => [digest, Buffer.from(content)]));
  const plans = new Map<string, PreparedPlan>();
  for (const one of [plan, ...childPlans({ plan, blobs }).values()]) {
    plans.set(one.name, { plan: one, steps: new Map(stepsOfPlan(one).map((step) => [step.id, step])) });
  }
  const planRef: ControlRef<'plan'> = {
    kind: 'plan',
    sha256: planSha256,
    sizeBytes: bytes.byteLength,
    mediaType: 'application/json',
    name: `${plan.name}.plan.json`,
  };
  return { plan, planRef, frozen, base, plans };
}
