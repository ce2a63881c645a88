import type { RunKey } from '../../activities/ports';
import { Recent } from '../../activities/stored/recent';
import type { Toolbox } from '../../activities/toolbox';
import type { Address } from '../../plan/address';
import type { FrozenRef } from '../../plan/artifact';
import type { Allowance } from '../../plan/budget';
import type { ParentRun, StartedFrom } from '../../plan/contract';
import { ThermidorFailure } from '../../plan/failure';
import type { Json } from '../../plan/json';
import { IR_VERSION, type Plan } from '../../plan/plan';
import type { Script } from '../../plan/script';
import type { Starter } from '../../plan/starter';
import type { Step } from '../../plan/step';
import { stepsOfPlan } from '../../plan/walk';
import { type FrozenContent, readFrozen } from '../read-frozen';
import { asStored } from '../stored-json';

/** Name of the record in the ledger that freezes a run. */
export const RUN_RECORD = 'run';

/** What a run was opened with. Written once by `openRun`; every other activity finds plan and script through it. */
export interface RunRecord {
  plan: FrozenRef<'plan'>;
  args: Record<string, Json>;
  script?: { name: string; ref: FrozenRef<'script'> };
  startedAt: string;
  /** When a schedule had it, or the run above it, start. */
  scheduledAt?: string;
  /** Of an earlier version: the name alone, a claim. */
  startedBy?: Starter | string;
  /** Of a child pipeline. An earlier version wrote its parent's workflow id, as the input had it. */
  parent?: ParentRun | string;
  /** Of a run that an agent of another one started. */
  startedFrom?: StartedFrom;
  /** Of a child pipeline: what its parent reserved for it before it started. */
  budget?: Allowance;
  /** Of a rerun: what the run before it carried over. */
  carried?: FrozenRef<'carry'>;
}

export interface LoadedRun {
  key: RunKey;
  record: RunRecord;
  plan: Plan;
  /** Every step of the plan by id, whatever it is within. */
  steps: ReadonlyMap<string, Step>;
  script?: Script;
}

const RUNS_KEPT = 64;
/** By toolbox, because two workers of one process may have different stores. */
const caches = new WeakMap<Toolbox, Recent<LoadedRun>>();

/** The run's plan and script, from the cache or the store. Fails with `artifact.missing` where the run was never opened here. */
export function loadRun(toolbox: Toolbox, key: RunKey): Promise<LoadedRun> {
  const cache = caches.get(toolbox) ?? new Recent<LoadedRun>(RUNS_KEPT);
  caches.set(toolbox, cache);
  return cache.get(JSON.stringify([key.workflowId, key.run]), async () => {
    const record = await toolbox.ledger.get(key, RUN_RECORD);
    if (record === undefined) {
      const hint = 'check that this worker uses the state folder of the worker that opened the run';
      throw new ThermidorFailure('artifact.missing', `run ${key.workflowId} is not in this worker's ledger; ${hint}`);
    }
    return await readRun(toolbox, key, readRunRecord(record));
  });
}

export function readRunRecord(record: unknown): RunRecord {
  return record as RunRecord;
}

/** Workflow id of the run that started this one as its child. */
export function parentIdOf({ parent }: RunRecord): string | undefined {
  return typeof parent === 'object' ? parent.workflowId : parent;
}

export async function readRun(toolbox: Toolbox, key: RunKey, record: RunRecord): Promise<LoadedRun> {
  const plan = await readPlan(toolbox, record.plan);
  const run: LoadedRun = { key, record, plan, steps: new Map(stepsOfPlan(plan).map((step) => [step.id, step])) };
  if (record.script) {
    const text = (await readFrozen(toolbox, record.script.ref)).toString('utf8');
    run.script = toolbox.pipelines.readScript(record.script.name, text);
  }
  return run;
}

/** The plan that a run's own record names. Fails as `asPlan`, and with `artifact.missing`. */
export async function readPlan(content: FrozenContent, ref: FrozenRef<'plan'>): Promise<Plan> {
  return asPlan(await readFrozen(content, ref), ref.sha256);
}

/** Fails with `plan.version` where another version of the language froze it. */
export function asPlan(content: Buffer, sha256: string): Plan {
  const plan = asStored<Partial<Plan> | null>(content, sha256, 'the plan');
  if (plan?.irVersion !== IR_VERSION) {
    throw new ThermidorFailure(
      'plan.version',
      `the plan is of version ${plan?.irVersion ?? 'unknown'}; this worker runs version ${IR_VERSION}`,
    );
  }
  if (typeof plan.name !== 'string' || !Array.isArray(plan.block?.steps)) {
    throw new ThermidorFailure('input.invalid', `artifact ${sha256} is not a plan`);
  }
  return plan as Plan;
}

/** The step an address executes: its innermost segment that is a step of the plan. */
export function stepAt(run: LoadedRun, address: Address): Step {
  for (const { id } of [...address.path].reverse()) {
    const step = run.steps.get(id);
    if (step) return step;
  }
  const path = address.path.map(({ id }) => id).join('/');
  throw new ThermidorFailure('internal', `plan "${run.plan.name}" has no step "${path}"`);
}
