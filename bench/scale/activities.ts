import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { loadState, saveState } from '../../activities/run/run-state';
import { packedPart } from '../../activities/stored/pack';
import type { Plan } from '../../plan/plan';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { Activities } from '../../plan/run/contract';
import { jsonLines } from '../../plan/run/json-lines';
import { type LoadPlanInput, RUN_VERSION } from '../../plan/run/run-activities';
import { controlPlan } from '../../plan/steps/control';
import type { StepOutput } from '../../plan/steps/step-activity';
import { MemoryArtifacts, MemoryControl, MemoryLedger } from '../../records/memory/memory-store';
import { executionKey } from '../execution-key';

/**
 * Steps do nothing and each has an output of its own. A plan and a state are stored and loaded as with a worker, but in memory.
 *
 * @param behind gets the address of each notification before it is done
 */
export function scaleActivities(plan: Plan, behind: (address: string) => void): Pick<Activities, (typeof USED)[number]> {
  const stores = { artifacts: new MemoryArtifacts(), control: new MemoryControl(), ledger: new MemoryLedger() };
  const control = Buffer.from(jsonLines(controlPlan(plan)));
  const planRef = { kind: 'plan', sha256: digest('plan'), sizeBytes: control.length, mediaType: 'application/json' } as const;
  const work = async (): Promise<StepOutput> => ({ artifact: artifact() });
  return {
    openRun: async () => ({ version: RUN_VERSION, planRef, args: {}, startedAt: new Date(0).toISOString(), searchAttributes: [] }),
    // No input is sent if it would contain nothing but its run.
    loadPlan: (input?: LoadPlanInput) => packedPart(control.subarray(input?.from)),
    agent: async () => ({
      artifact: artifact(),
      ...(Context.current().info.activityId.startsWith('look') ? { verdict: { verdict: 'pass' as const, findings: {} } } : {}),
    }),
    command: work,
    commands: async ({ steps }) => ({ done: steps.map(() => ({ output: { artifact: artifact() }, startedAtMs: 0, endedAtMs: 0 })) }),
    items: async () => ({ list: artifact(), count: 1 }),
    compose: work,
    async notify() {
      behind(Context.current().info.activityId);
      return { message: '', deliveredTo: [] };
    },
    journal: async () => artifact(),
    saveState: (input) => saveState(stores, executionKey(), input),
    loadState: (input) => loadState(stores, executionKey(), input),
  };
}

export const USED = [
  'openRun',
  'loadPlan',
  'agent',
  'command',
  'commands',
  'items',
  'compose',
  'notify',
  'journal',
  'saveState',
  'loadState',
] as const satisfies readonly (keyof Activities)[];

let artifacts = 0;

function artifact(): ArtifactRef {
  artifacts += 1;
  return { sha256: digest(String(artifacts)), sizeBytes: artifacts, mediaType: 'application/json' };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
