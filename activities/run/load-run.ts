import type { Plan } from '../../plan/plan';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { whyTooOld } from '../../plan/run/worker-version';
import { type Address, formatPath, stepIdOf } from '../../plan/steps/address';
import type { Step } from '../../plan/steps/step';
import { stepsOfPlan } from '../../plan/steps/walk';
import type { Ledger, RunKey } from '../../records/ledger';
import { RUN_RECORD, type RunRecord, readRecordedPlan, readRunRecord } from '../../records/runs/run-record';
import { LruCache } from '../stored/lru-cache';
import type { Toolbox } from '../toolbox';
import type { LoadedRun } from './loaded-run';

const RUNS_KEPT = 64;
/** Caches by ledger, because two workers of one process may have different stores; each call has a toolbox of its own. */
const caches = new WeakMap<Ledger, LruCache<LoadedRun>>();

/** The run's plan and script, from the cache or the store. Fails with `artifact.missing` if the run was never opened here. */
export function loadRun(toolbox: Toolbox, key: RunKey): Promise<LoadedRun> {
  const { ledger } = toolbox;
  const cache = caches.get(ledger) ?? new LruCache<LoadedRun>(RUNS_KEPT);
  caches.set(ledger, cache);
  return cache.get(JSON.stringify([key.workflowId, key.run]), async () => {
    const record = await ledger.get(key, RUN_RECORD);
    if (record === undefined) {
      const hint = 'check that this worker uses the store of the worker that opened the run';
      throw new ThermidorFailure('artifact.missing', `run ${key.workflowId} is not in this worker's ledger; ${hint}`);
    }
    return await readRun(toolbox, key, readRunRecord(record));
  });
}

/** Fails with `worker.too-old` before anything is done for a run that a later version has opened. */
export async function readRun(toolbox: Toolbox, key: RunKey, record: RunRecord): Promise<LoadedRun> {
  const tooOld = whyTooOld(record);
  if (tooOld !== undefined) throw new ThermidorFailure('worker.too-old', tooOld);
  const plan = await readRecordedPlan(toolbox, record.plan);
  const run: LoadedRun = { key, record, plan, steps: stepsById(plan) };
  if (record.script) {
    const text = (await toolbox.control.get(record.script.ref)).toString('utf8');
    run.script = toolbox.pipelines.readScript(record.script.name, text);
  }
  return run;
}

export function stepsById(plan: Plan): ReadonlyMap<string, Step> {
  return new Map(stepsOfPlan(plan).map((step) => [step.id, step]));
}

/** The step at an address. One that the plan does not have is a bug of the run, and no other work is done for it. */
export function stepAt(run: LoadedRun, address: Address): Step {
  const step = run.steps.get(stepIdOf(address));
  if (step) return step;
  throw bug(`plan "${run.plan.name}" has no step "${formatPath(address.path)}"`);
}
