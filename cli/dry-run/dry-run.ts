import { PASSED_ON } from '../../activities/adapters/processes/process-environment';
import { defined } from '../../plan/defined';
import { DEFAULT_CONCURRENT, type Plan } from '../../plan/plan';
import type { Json } from '../../plan/text/json';
import type { DryRun, DryRunRequest } from './dry-run-model';
import type { KnownValues } from './known-values';
import { planSteps } from './plan-steps';

/**
 * What a run of a plan would do, without running it: no server, no worker, no store.
 *
 * Invariants: 1. every step of the plan is in it once, child pipelines' steps under theirs, except those within a step that is known to be
 * skipped; 2. nothing is run, asked or written.
 */
export function dryRun(request: DryRunRequest): DryRun {
  const { plan, args, script } = request;
  const world: KnownValues = {
    args,
    standIns: secretsOf(plan, args),
    skipped: new Set(),
    ...defined({ runId: request.runId, scheduled: request.scheduled }),
  };
  const { steps, finally: last } = planSteps(plan, world, request);
  return {
    pipeline: plan.name,
    ...defined({ description: plan.description }),
    args: { ...args },
    environment: plan.dialect === 'lobster' ? 'caller' : PASSED_ON,
    ...defined({ script }),
    concurrent: plan.concurrent ?? DEFAULT_CONCURRENT,
    ...defined({ budget: plan.budget, requiresApproval: plan.requiresApproval }),
    steps,
    ...defined({ finally: last }),
    problems: [],
  };
}

/** A secret is shown as its reference, never resolved. */
function secretsOf(plan: Plan, args: Readonly<Record<string, Json>>): Map<string, string> {
  const secret = Object.entries(plan.args ?? {}).filter(([name, spec]) => spec.secret && Object.hasOwn(args, name));
  return new Map(secret.map(([name]) => [name, `⟨${String(args[name])}⟩`]));
}
