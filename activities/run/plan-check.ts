import { asksAgent, judges, runsChild } from '../../kinds/questions';
import type { Plan } from '../../plan/plan';
import { PLAN_LIMIT_BYTES, STEP_LIMIT } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { stepsOfPlan } from '../../plan/steps/walk';
import { asPlan } from '../../records/runs/run-record';
import { adapterFor, loadAgent } from '../agent/agent-adapter';
import { checkStrategies } from '../queue/check-strategies';
import type { Toolbox } from '../toolbox';
import type { LoadedRun } from './loaded-run';

/**
 * Checks a run's plan and those of all its child pipelines before anything runs: every agent has an adapter, every plan fits, and merge
 * queues merge as it asks. Children are found by their digest, so a plan cannot contain itself and the walk ends.
 *
 * Fails with `adapter.unavailable`, `merge.strategy`, `plan.too-large`, `plan.version`, `artifact.missing`.
 */
export async function checkPlans(toolbox: Toolbox, run: LoadedRun): Promise<void> {
  const seen = new Set<string>();
  const check = async (plan: Plan): Promise<void> => {
    checkStepCount(plan);
    if (toolbox.mergeHost) await checkStrategies(toolbox.mergeHost, plan);
    for (const id of askedAgents(plan)) adapterFor(toolbox, run, await loadAgent(toolbox, { plan }, id));
    for (const step of stepsOfPlan(plan)) {
      if (!runsChild(step) || seen.has(step.plan)) continue;
      seen.add(step.plan);
      await check((await readChildPlan(toolbox, step.plan, step.pipeline)).plan);
    }
  };
  await check(run.plan);
}

/** The agents that the steps of a plan ask. */
function askedAgents(plan: Plan): Set<string> {
  const asked = new Set<string>();
  for (const step of stepsOfPlan(plan)) {
    if (!asksAgent(step)) continue;
    asked.add(step.agent);
    if (judges(step) && step.critic !== undefined) asked.add(step.critic);
  }
  return asked;
}

/** A child's plan from the blob that its `pipeline` step names: the plan that has the step vouches for it, by its digest. */
export async function readChildPlan({ artifacts }: Toolbox, sha256: string, pipeline: string): Promise<{ plan: Plan; text: string }> {
  const content = await artifacts.get({ sha256 });
  checkPlanSize(pipeline, content.byteLength);
  return { plan: asPlan(content, sha256), text: content.toString('utf8') };
}

/** Over the limit a run would take more of its worker, and of its history, than others can spare. */
export function checkPlanSize(name: string, sizeBytes: number): void {
  if (sizeBytes <= PLAN_LIMIT_BYTES) return;
  throw new ThermidorFailure('plan.too-large', `the plan of "${name}" has ${sizeBytes} bytes; at most ${PLAN_LIMIT_BYTES} are allowed`);
}

function checkStepCount(plan: Plan): void {
  const { length } = stepsOfPlan(plan);
  if (length <= STEP_LIMIT) return;
  throw new ThermidorFailure('plan.too-large', `the plan of "${plan.name}" has ${length} steps; at most ${STEP_LIMIT} are taken`);
}
