import { setTimeout as wait } from 'node:timers/promises';
import { connectClient, type ThermidorClient } from '../../client/connect';
import { findRun } from '../../client/find-run';
import { listRuns } from '../../client/list-runs';
import { hasEnded } from '../../client/outcome';
import { readStatus } from '../../client/read-run';
import type { RunSummary } from '../../client/run-summary';
import { listSchedules } from '../../client/schedules';
import { runsChild } from '../../kinds/questions';
import { defined } from '../../plan/defined';
import type { Plan } from '../../plan/plan';
import type { RunMemo } from '../../plan/run/run-memo';
import { stepsOfPlan } from '../../plan/steps/walk';
import type { Records } from '../../records/records';
import { newestRun, openedRuns } from '../../records/runs/list-runs';
import { RUN_RECORD, readRunRecord } from '../../records/runs/run-record';
import { findRunOfFolder } from '../costs/find-run';
import { planFromText, runPlanText, storedPlan } from '../pipelines/child-plans';
import { preload } from '../preload';
import { pathOfStep } from '../rendering/step-tree';
import { runningServer } from '../session/running-server';
import { connectSession } from '../session/session';
import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import type { LookedUp } from './completion-source';

/** What is known of runs while a line is being typed. */
export interface RunNames {
  runs(kind: LookedUp): Promise<{ run: string; about?: string }[]>;
  gatesOf(run: string): Promise<RunMemo['gates']>;
  heldIn(run: string): Promise<string[]>;
  stepsOf(run: string): Promise<string[]>;
  agentsOf(run: string): Promise<string[]>;
  schedules(): Promise<string[]>;
}

const RUNS = 200;
/** The server has so long. */
const SERVER_LIMIT_MS = 1_500;

/**
 * Asks a running server, and never starts one. The store alone shows which runs there are and their pipelines, but not their states:
 * without a server that has to be enough; if a server does not answer in time, states are left out.
 */
export function runNamesFrom(configuration: Configuration, signal: AbortSignal): RunNames {
  let connecting: Promise<ThermidorClient | undefined> | undefined;
  const asking = async <T>(question: (client: ThermidorClient) => Promise<T>): Promise<T | undefined> => {
    const address = await runningServer(configuration);
    if (address === undefined) return undefined;
    // Loaded before the clock runs.
    preload(connectClient);
    connecting ??= connectSession(configuration, address);
    // A question that fails, or comes too late, is one without an answer.
    const answer = connecting.then((client) => client && question(client)).catch(() => undefined);
    return await Promise.race([answer, wait(SERVER_LIMIT_MS, undefined, { signal, ref: false }).catch(() => undefined)]);
  };
  const summaryOf = (run: string): Promise<RunSummary | undefined> => asking((client) => findRun(client, run));
  return {
    async runs(kind) {
      const folderTells = kind === 'run' || (await runningServer(configuration)) === undefined;
      const [listed, kept] = await Promise.all([
        asking((client) => listRuns(client, { limit: RUNS, ...defined({ waiting: kind === 'gated-run' || undefined }) })),
        folderTells ? knownRuns(configuration).catch(() => []) : [],
      ]);
      if (listed === undefined) return kept.map((run) => ({ run }));
      return listed.filter((run) => isTaken(kind, run)).map(({ run, state }) => ({ run, about: state }));
    },
    async gatesOf(run) {
      return (await summaryOf(run))?.gates ?? [];
    },
    async heldIn(run) {
      const summary = await summaryOf(run);
      const view = summary && (await asking((client) => readStatus(client, summary.run, SERVER_LIMIT_MS)));
      if (view === undefined) return (await namesOfRun(configuration, run)).steps;
      const failed = view.steps.filter(({ state }) => state === 'held' || state === 'failed').map(pathOfStep);
      return [...(view.held ?? []).map(({ step }) => step), ...failed];
    },
    stepsOf: async (run) => (await namesOfRun(configuration, run)).steps,
    agentsOf: async (run) => (await namesOfRun(configuration, run)).agents,
    async schedules() {
      return ((await asking(listSchedules)) ?? []).filter(({ ours }) => ours).map(({ schedule }) => schedule);
    },
  };
}

/** Whether a command takes such a run. */
function isTaken(kind: LookedUp, { state, gates }: RunSummary): boolean {
  if (kind === 'gated-run') return gates.length > 0;
  if (kind === 'paused-run') return state === 'paused';
  return kind === 'run' || !hasEnded(state);
}

async function knownRuns(configuration: Configuration): Promise<string[]> {
  const { ledger, runs } = recordsOf(configuration);
  const opened = await openedRuns(ledger, await runs.list());
  return opened.slice(0, RUNS).map(({ workflowId }) => workflowId);
}

/** Children of children: nesting of pipelines is bounded by this. */
const DEPTH = 5;

/** The steps and agents of a run's frozen plan from the store: no server is asked, and the run may be over. */
async function namesOfRun(configuration: Configuration, given: string): Promise<{ steps: string[]; agents: string[] }> {
  const stores = recordsOf(configuration);
  const key = await newestRun(stores, await findRunOfFolder(stores.ledger, await stores.runs.list(), given));
  const record = key && (await stores.ledger.get(key, RUN_RECORD));
  const plan = record === undefined ? undefined : planFromText(await runPlanText(stores, readRunRecord(record).plan));
  return plan === undefined
    ? { steps: [], agents: [] }
    : { steps: await stepNames(plan, stores, DEPTH), agents: Object.keys(plan.agents ?? {}) };
}

/** Names of steps, those of child pipelines with the path to them: `deploy/build`. */
async function stepNames(plan: Plan, stores: Records, depth: number): Promise<string[]> {
  const names: string[] = [];
  for (const step of stepsOfPlan(plan)) {
    names.push(step.id);
    const child = runsChild(step) && depth > 0 ? await storedPlan(stores.artifacts, step.plan) : undefined;
    for (const name of child === undefined ? [] : await stepNames(child, stores, depth - 1)) names.push(`${step.id}/${name}`);
  }
  return names;
}
