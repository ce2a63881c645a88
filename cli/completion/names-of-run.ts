import { runsChild } from '../../kinds/questions';
import type { Plan } from '../../plan/plan';
import { stepsOfPlan } from '../../plan/steps/walk';
import { openRecords, type Records } from '../../records/open-records';
import { newestRun } from '../../records/runs/list-runs';
import { RUN_RECORD, readRunRecord } from '../../records/runs/run-record';
import { findRunOfFolder } from '../costs/find-run';
import { planFromText, runPlanText, storedPlan } from '../pipelines/child-plans';

/** Children of children: nesting of pipelines is bounded by this. */
const DEPTH = 5;

/** The steps and agents of a run's frozen plan, as its state folder has it: nobody has to be asked, and the run may be over. */
export async function namesOfRun(stateDir: string, given: string): Promise<{ steps: string[]; agents: string[] }> {
  const stores = openRecords(stateDir);
  const key = await newestRun(stores, await findRunOfFolder(stores.ledger, await stores.runs.list(), given));
  const record = key && (await stores.ledger.get(key, RUN_RECORD));
  const plan = record === undefined ? undefined : planFromText(await runPlanText(stores, readRunRecord(record).plan));
  return plan === undefined
    ? { steps: [], agents: [] }
    : { steps: await stepNames(plan, stores, DEPTH), agents: Object.keys(plan.agents ?? {}) };
}

/** Those of child pipelines by the way to them: `deploy/build`. */
async function stepNames(plan: Plan, stores: Records, depth: number): Promise<string[]> {
  const names: string[] = [];
  for (const step of stepsOfPlan(plan)) {
    names.push(step.id);
    const child = runsChild(step) && depth > 0 ? await storedPlan(stores.artifacts, step.plan) : undefined;
    for (const name of child === undefined ? [] : await stepNames(child, stores, depth - 1)) names.push(`${step.id}/${name}`);
  }
  return names;
}
