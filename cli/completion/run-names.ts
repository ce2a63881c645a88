import { setTimeout as wait } from 'node:timers/promises';
import type { ThermidorClient } from '../../client/connect';
import type { RunSummary } from '../../client/list-runs';
import type { RunMemo } from '../../plan/run/contract';
import type { Configuration } from '../settings/configuration';
import type { LookedUp } from './completion-source';

/** What is known of runs while a line is typed. */
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
 * Asks the server that is there, and never starts one. The state folder alone shows which runs there are and what they were to do, and
 * not how they stand: where no server runs, that has to do; where one does not answer in time, nothing is said of how runs stand.
 */
export function runNamesFrom(configuration: Configuration, signal: AbortSignal): RunNames {
  const stateDir = configuration.stateDir.value;
  let connecting: Promise<ThermidorClient | undefined> | undefined;
  const asking = async <T>(question: (client: ThermidorClient) => Promise<T>): Promise<T | undefined> => {
    const address = await addressOf(configuration);
    if (address === undefined) return undefined;
    // Loaded before the clock runs.
    const { connectSession } = require('../session/session') as typeof import('../session/session');
    require('../../client/connect') as typeof import('../../client/connect');
    connecting ??= connectSession(configuration, address);
    const answer = connecting.then((client) => client && question(client)).catch(() => undefined);
    return await Promise.race([answer, wait(SERVER_LIMIT_MS, undefined, { signal, ref: false }).catch(() => undefined)]);
  };
  const summaryOf = (run: string): Promise<RunSummary | undefined> =>
    asking((client) => (require('../../client/find-run') as typeof import('../../client/find-run')).findRun(client, run));
  return {
    async runs(kind) {
      const { listRuns } = require('../../client/list-runs') as typeof import('../../client/list-runs');
      const folderTells = kind === 'run' || (await addressOf(configuration)) === undefined;
      const [listed, kept] = await Promise.all([
        asking((client) => listRuns(client, { limit: RUNS, ...(kind === 'gated-run' ? { waiting: true } : {}) })),
        folderTells ? runsOfFolder(stateDir) : [],
      ]);
      if (listed === undefined) return kept.map((run) => ({ run }));
      return listed.filter((run) => isTaken(kind, run)).map(({ run, state }) => ({ run, about: state }));
    },
    async gatesOf(run) {
      return (await summaryOf(run))?.gates ?? [];
    },
    async heldIn(run) {
      const { readStatus } = require('../../client/read-run') as typeof import('../../client/read-run');
      const { pathOfStep } = require('../rendering/step-tree') as typeof import('../rendering/step-tree');
      const summary = await summaryOf(run);
      const view = summary && (await asking((client) => readStatus(client, summary.run, SERVER_LIMIT_MS)));
      if (view === undefined) return (await planOf(stateDir, run)).steps;
      const failed = view.steps.filter(({ state }) => state === 'held' || state === 'failed').map(pathOfStep);
      return [...(view.held ?? []).map(({ step }) => step), ...failed];
    },
    stepsOf: async (run) => (await planOf(stateDir, run)).steps,
    agentsOf: async (run) => (await planOf(stateDir, run)).agents,
    async schedules() {
      const { listSchedules } = require('../../client/schedules') as typeof import('../../client/schedules');
      return ((await asking(listSchedules)) ?? []).filter(({ ours }) => ours).map(({ schedule }) => schedule);
    },
  };
}

/** Which runs a command takes. */
function isTaken(kind: LookedUp, { state, gates }: RunSummary): boolean {
  const { hasEnded } = require('../../client/outcome') as typeof import('../../client/outcome');
  if (kind === 'gated-run') return gates.length > 0;
  if (kind === 'paused-run') return state === 'paused';
  return kind === 'run' || !hasEnded(state);
}

/** Undefined where the embedded server does not run. */
async function addressOf({ address, stateDir }: Configuration): Promise<string | undefined> {
  const { peekServer } = require('../embedded/peek-server') as typeof import('../embedded/peek-server');
  return address.value ?? (await peekServer(stateDir.value)).address;
}

async function runsOfFolder(stateDir: string): Promise<string[]> {
  const { openedRuns } = require('../../records/runs/list-runs') as typeof import('../../records/runs/list-runs');
  const { openRecords } = require('../../records/open-records') as typeof import('../../records/open-records');
  const { ledger, runs } = openRecords(stateDir);
  const opened = await openedRuns(ledger, await runs.list());
  return opened.slice(0, RUNS).map(({ workflowId }) => workflowId);
}

async function planOf(stateDir: string, given: string): Promise<{ steps: string[]; agents: string[] }> {
  const { namesOfRun } = require('./names-of-run') as typeof import('./names-of-run');
  return namesOfRun(stateDir, given);
}
