import type { ArtifactRef } from './artifact';
import type { VerdictRecord } from './verdict';

/** What an agent in an escalation chain may decide; anything else that it answers is no decision, and the next is asked. */
export const ESCALATION_DECISIONS = ['pass', 'revise', 'abort', 'pass_on'] as const;
export type EscalationDecision = (typeof ESCALATION_DECISIONS)[number];

/** What an agent answers that a matter has come to. `rationale` goes into the run, of `revise` as the instructions. */
export interface EscalationAnswer {
  decision: EscalationDecision;
  rationale: string;
}

/** The part of an activity's input that asks an agent of the chain. */
export interface EscalationRequest {
  agent: string;
  /** Why it came here, in words. */
  reason: string;
  /** Every round of the step that the matter is about, and of what it judges, oldest first. */
  history: EscalationRound[];
  /** What those before in the chain have said or failed of. */
  before: { agent: string; said: string }[];
}

export interface EscalationRound {
  step: string;
  round: number;
  artifact?: ArtifactRef;
  verdict?: VerdictRecord;
  error?: { code: string; message: string };
}
