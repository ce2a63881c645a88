import type { ArtifactRef } from '../plan/artifact';
import { ThermidorFailure } from '../plan/failure';
import { criticKey } from '../plan/script';
import type { AgentStep, ReviewStep, Step } from '../plan/step';
import type { StepInput, StepOutput } from '../plan/step-work';
import { findingsDelta } from '../plan/verdict';
import { type AgentTask, agentTask } from './agent-task';
import { renderApproval } from './approval-request';
import { escalationWork } from './escalation-task';
import type { CheckedReply } from './reply';
import type { LoadedRun } from './run-record';
import { spawnedWork } from './spawned-work';
import { stepValues } from './step-values';
import { storedValue } from './stored-values';
import type { Toolbox } from './toolbox';

/**
 * What one call of the activity `agent` is for: who is asked what, how often, and what is made of the answer. Asking itself is
 * the same for all (`agent-try.ts`).
 */
export interface AgentWork {
  /** Who is asked, by its id in the plan. */
  agent: string;
  /** The step it belongs to, by id. */
  stepId: string;
  /** What a script answers for it by. */
  scriptKey: string;
  /** Of the loops around it, from the outside in; a script chooses by them. */
  iterations: readonly number[];
  /** How often a bad reply may be asked for again. */
  repairs: number;
  /** How many spawns lie between the step and who is asked; absent: it calls on no other agents. */
  depth?: number;
  /** Fewer tools than the agent has. */
  tools?: readonly string[];
  /** It goes on in the owner's one context, of which this is what stands so far. */
  context?: readonly ArtifactRef[];
  /** Pays for nothing. */
  load(): Promise<AgentTask>;
  /** The name under which its output is stored. */
  outputName(json: boolean): string;
  /** What the step is told of a good reply, beside what is the same for all; `raw` as it came. */
  finish(reply: GoodReply, raw: string): Promise<Partial<StepOutput>>;
}

export type GoodReply = Extract<CheckedReply, { kind: 'good' }>;

/** Repair requests for a bad reply within one try, where the step does not say (protocol.md point 11). */
export const REPAIRS = 1;

/** The work that an input is for. A kind of its own stands in a file of its own and gets a line here. */
export function agentWork(toolbox: Toolbox, run: LoadedRun, step: Step, input: StepInput): AgentWork {
  if (input.spawn) return spawnedWork(toolbox, run, step, input.spawn, input);
  if (input.escalation) return escalationWork(toolbox, run, step, input, input.escalation);
  return ownWork(toolbox, run, asked(step, input), input);
}

/** The step as whoever is asked has it: a critic judges as the reviewer does, under its own name. */
function asked(step: Step, { critic }: StepInput): AgentStep | ReviewStep {
  if (step.kind === 'review' && critic && step.critic !== undefined) {
    return { ...step, agent: step.critic, output: { ...step.output, name: `critic.${step.output?.name ?? 'json'}` } };
  }
  if (step.kind === 'agent' || step.kind === 'review') return step;
  throw new ThermidorFailure('internal', `step "${step.id}" is no agent's`);
}

/** Of the step's own agent, or its critic. */
function ownWork(toolbox: Toolbox, run: LoadedRun, step: AgentStep | ReviewStep, input: StepInput): AgentWork {
  return {
    agent: step.agent,
    stepId: step.id,
    scriptKey: input.critic ? criticKey(step.id) : step.id,
    iterations: (input.loops ?? []).map(({ index }) => index),
    repairs: step.repair ?? REPAIRS,
    depth: 0,
    ...(step.tools === undefined ? {} : { tools: step.tools }),
    ...(step.action === 'self' && !input.critic ? { context: input.context ?? [] } : {}),
    load: () => agentTask(toolbox, run, step, input),
    outputName: (json) => step.output?.name ?? `${step.id}.${json ? 'json' : 'md'}`,
    async finish(reply, raw) {
      const values = stepValues(step, reply.value);
      const output: Partial<StepOutput> = { ...(values ? { values } : {}), ...(await verdictWithin(toolbox, reply, input)) };
      if (!step.approval) return output;
      return { ...output, approval: await renderApproval(toolbox, run, step, input, { value: reply.value, text: raw }) };
    },
  };
}

/** A verdict, and what became of the findings of the reviewer's last report. */
async function verdictWithin(
  { artifacts }: Toolbox,
  { verdict, value }: GoodReply,
  { previous }: StepInput,
): Promise<Pick<StepOutput, 'verdict'>> {
  if (!verdict) return {};
  if (!previous) return { verdict };
  const before = await storedValue(artifacts, previous);
  return { verdict: { ...verdict, delta: findingsDelta(before.value, value) } };
}
