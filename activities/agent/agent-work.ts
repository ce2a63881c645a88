import type { ArtifactRef } from '../../plan/run/artifact';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { AgentTask } from './agent-task';
import type { CheckedReply } from './reply';

/**
 * What one call of the activity `agent` is for: who is asked what, how often, and what is made of the answer. Asking itself is
 * the same for all (`agent-attempt.ts`).
 */
export interface AgentWork {
  /** Who is asked, by its id in the plan. */
  agent: string;
  /** Who asks it, as envelopes name it. */
  asker: string;
  /** The step it belongs to, by id. */
  stepId: string;
  /** What a script answers for it by. */
  scriptKey: string;
  /** Of a child: which fresh agent it is, from 2 on. A script chooses by it. */
  try?: number;
  /** How often a bad reply may be asked for again. */
  repairs: number;
  /** As `plan/agents/spawn-depth.ts` counts it; absent: it calls on no other agents. */
  depth?: number;
  /** Fewer tools than the agent has. */
  tools?: readonly string[];
  /** It continues in the owner's one context; this is its transcript so far. */
  context?: readonly ArtifactRef[];
  /** Pays for nothing. */
  load(): Promise<AgentTask>;
  /** The name under which its output is stored. */
  outputName(json: boolean): string;
  /** What the step gets with a good reply, beside what is the same for all; `raw` as it came. */
  finish(reply: GoodReply, raw: string): Promise<Partial<StepOutput>>;
}

export type GoodReply = Extract<CheckedReply, { kind: 'good' }>;
