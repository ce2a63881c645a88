import type { MemberWork } from '../../plan/board/member-work';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { AgentTask } from './agent-task';
import type { CheckedReply } from './reply';

/**
 * The purpose of one call of the activity `agent`: who is asked what, how often, and how the answer is used. Asking itself is the same for
 * all (`agent-attempt.ts`).
 */
export interface AgentWork {
  /** The asked agent, by its id in the plan. */
  agent: string;
  /** The sender, as envelopes name it. */
  asker: string;
  /** The step it belongs to, by id. */
  stepId: string;
  /** The key of its replies in a script. */
  scriptKey: string;
  /** For a child: the number of the fresh agent, from 2 on. A script chooses by it. */
  try?: number;
  /** How often a bad reply may be requested again. */
  repairs: number;
  /** Its depth (`plan/agents/spawn-depth.ts`); absent: it calls no other agents. */
  depth?: number;
  /** Fewer tools than the agent has. */
  tools?: readonly string[];
  /** The member of a board as which it works. */
  member?: MemberWork;
  /** It continues in a context, the owner's or a member's; this is that context's transcript so far. */
  context?: readonly ArtifactRef[];
  /** Pays for nothing. */
  load(): Promise<AgentTask>;
  /** The name under which its output is stored. */
  outputName(json: boolean): string;
  /** What a reply should have been, in words. @default the name of the output */
  wanted?: string;
  /** The step's own output for a good reply, in addition to the common one; `raw` is the unchanged reply. */
  finish(reply: GoodReply, raw: string): Promise<Partial<StepOutput>>;
}

export type GoodReply = Extract<CheckedReply, { kind: 'good' }>;
