import { loadState, saveState } from '../../activities/run/run-state';
import { packedJson } from '../../activities/stored/pack';
import type { Plan } from '../../plan/plan';
import type { Activities } from '../../plan/run/contract';
import { ThermidorFailure } from '../../plan/run/failure';
import { RUN_VERSION } from '../../plan/run/run-activities';
import { controlPlan } from '../../plan/steps/control';
import { MemoryArtifacts, MemoryControl, MemoryLedger } from '../../records/memory/memory-store';
import { executionKey } from '../execution-key';

/**
 * Activities that do nothing, for both sides: the bench measures what is between two of them. Plans come from memory, and state that
 * continue-as-new carries is stored as with a worker.
 *
 * @param run whose state is asked for
 */
export function noopActivities(plans: ReadonlyMap<string, Plan>, run = executionKey): Activities {
  const stores = { artifacts: new MemoryArtifacts(), control: new MemoryControl(), ledger: new MemoryLedger() };
  return {
    async openRun({ workflowType }) {
      const plan = plans.get(workflowType);
      if (!plan) throw new ThermidorFailure('pipeline.not-found', `there is no case "${workflowType}"`);
      return packedJson({
        version: RUN_VERSION,
        plan: controlPlan(plan),
        planRef: { kind: 'plan', ...NOWHERE } as const,
        args: {},
        startedAt: new Date(0).toISOString(),
        searchAttributes: [],
      });
    },
    command: async () => ({}),
    journal: async ({ last }) => (last ? null : NOWHERE),
    saveState: (input) => saveState(stores, run(), input),
    loadState: (input) => loadState(stores, run(), input),
    commands: async ({ steps }) => ({ done: steps.map(() => ({ output: {}, startedAtMs: 0, endedAtMs: 0 })) }),
    loadPlan: unwanted,
    agent: unwanted,
    stages: unwanted,
    items: unwanted,
    itemValues: unwanted,
    emitted: unwanted,
    emitItems: unwanted,
    compose: unwanted,
    applyRule: unwanted,
    openBoard: unwanted,
    boardWork: unwanted,
    keepTexts: unwanted,
    mineJournal: unwanted,
    keepLessons: unwanted,
    childInput: unwanted,
    checkResponses: unwanted,
    checkProofs: unwanted,
    gate: unwanted,
    notify: unwanted,
    say: unwanted,
    hear: unwanted,
    recorded: unwanted,
    spawned: unwanted,
    announce: unwanted,
    exchanged: unwanted,
    post: unwanted,
    claimWorktree: unwanted,
    restoreWorktree: unwanted,
    closeWorktree: unwanted,
    submitCandidate: unwanted,
    candidateOutcome: unwanted,
    withdrawCandidate: unwanted,
    askTask: unwanted,
    taskAnswer: unwanted,
    withdrawTask: unwanted,
    readAskedTasks: unwanted,
    settleAskedTasks: unwanted,
  };
}

const NOWHERE = { sha256: '0'.repeat(64), sizeBytes: 0, mediaType: 'application/json' };

async function unwanted(): Promise<never> {
  throw new ThermidorFailure('internal', 'no case has a step of this kind');
}
