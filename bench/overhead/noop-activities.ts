import { packedJson } from '../../activities/stored/pack';
import type { Plan } from '../../plan/plan';
import type { Activities, SaveStateInput } from '../../plan/run/contract';
import { ThermidorFailure } from '../../plan/run/failure';
import { controlPlan } from '../../plan/steps/control';
import type { Json } from '../../plan/text/json';

/**
 * Activities that do nothing, for both sides: the bench measures what is between two of them. Plans come from memory,
 * and state that continue-as-new carries stays there.
 */
export function noopActivities(plans: ReadonlyMap<string, Plan>): Activities {
  const states: string[] = [];
  return {
    async openRun({ workflowType }) {
      const plan = plans.get(workflowType);
      if (!plan) throw new ThermidorFailure('pipeline.not-found', `there is no case "${workflowType}"`);
      return packedJson({ plan: controlPlan(plan), planRef: { kind: 'plan', ...NOWHERE } as const, args: {}, searchAttributes: [] });
    },
    command: async () => ({}),
    journal: async ({ last }) => (last ? null : NOWHERE),
    async saveState({ state }: SaveStateInput) {
      const text = JSON.stringify(state);
      states.push(text);
      return { kind: 'snapshot', ...NOWHERE, name: String(states.length - 1), sizeBytes: text.length };
    },
    async loadState({ ref }) {
      const text = states[Number(ref.name)];
      if (text === undefined) throw new ThermidorFailure('artifact.missing', `there is no state ${ref.name}`);
      return JSON.parse(text) as Json;
    },
    commands: async ({ steps }) => ({ done: steps.map(() => ({ output: {}, startedAtMs: 0, endedAtMs: 0 })) }),
    loadPlan: unwanted,
    agent: unwanted,
    stages: unwanted,
    items: unwanted,
    itemValues: unwanted,
    compose: unwanted,
    childInput: unwanted,
    checkResponse: unwanted,
    checkProof: unwanted,
    gate: unwanted,
    notify: unwanted,
    say: unwanted,
    hear: unwanted,
    recorded: unwanted,
    spawned: unwanted,
    announce: unwanted,
  };
}

const NOWHERE = { sha256: '0'.repeat(64), sizeBytes: 0, mediaType: 'application/json' };

async function unwanted(): Promise<never> {
  throw new ThermidorFailure('internal', 'no case has a step of this kind');
}
