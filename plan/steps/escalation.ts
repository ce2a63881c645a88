import type { ArtifactRef } from '../run/artifact';
import { isJsonObject } from '../text/json';
import type { VerdictRecord } from './verdict';

/** What an agent in an escalation chain may decide or advise; anything else that it answers is neither, and the next is asked. */
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
  before: EarlierAdvice[];
  /** A person decides, and is shown what the agent answers. */
  advises?: true;
}

/** What somebody in the chain had to say, or why they said nothing: the agent's name comes before it, `ceo passed it on: …`. */
export interface EarlierAdvice {
  agent: string;
  said: string;
  /** What it advises. Absent: it gave no advice. */
  advice?: Advice;
}

/** Of the words of `ESCALATION_DECISIONS`, those that are advice. */
export type Advice = Exclude<EscalationDecision, 'pass_on'>;

export interface EscalationRound {
  step: string;
  round: number;
  artifact?: ArtifactRef;
  verdict?: VerdictRecord;
  error?: { code: string; message: string };
}

/** Of one agent's word in a gate's question, in lists and in messages; the document of the gate has the whole of it. */
export const ADVICE_LIMIT = 300;

/** Whether data that came from outside is what somebody in a chain has said. */
export function isEarlierAdvice(value: unknown): value is EarlierAdvice {
  if (!isJsonObject(value)) return false;
  const { agent, said, advice } = value;
  const known: readonly unknown[] = ESCALATION_DECISIONS;
  return typeof agent === 'string' && typeof said === 'string' && (advice === undefined || known.includes(advice));
}
