import type { ArtifactRef } from '../run/artifact';
import { isJsonObject } from '../text/json';
import type { VerdictRecord } from './verdict';

/** What an agent in an escalation chain may decide or advise; any other answer counts as none, and the next is asked. */
export const ESCALATION_DECISIONS = ['pass', 'revise', 'abort', 'pass_on'] as const;
export type EscalationDecision = (typeof ESCALATION_DECISIONS)[number];

/** An agent's decision on a matter. `rationale` goes into the run, for `revise` as the instructions. */
export interface EscalationAnswer {
  decision: EscalationDecision;
  rationale: string;
}

/** The part of an activity's input that asks an agent of the chain. */
export interface EscalationRequest {
  agent: string;
  /** Why it came here, in words. */
  reason: string;
  /** Every round of the step that the matter is about, and of the step it judges, oldest first. */
  history: EscalationRound[];
  /** The answers or failures of earlier members of the chain. */
  before: EarlierAdvice[];
  /** A person decides, and is shown the agent's answer. */
  advises?: true;
}

/** The answer of a member of the chain, or why there is none; the agent's name comes before it: `ceo passed it on: …`. */
export interface EarlierAdvice {
  agent: string;
  said: string;
  /** Its advice. Absent: it gave none. */
  advice?: Advice;
}

/** The words of `ESCALATION_DECISIONS` that are advice. */
export type Advice = Exclude<EscalationDecision, 'pass_on'>;

export interface EscalationRound {
  step: string;
  round: number;
  artifact?: ArtifactRef;
  verdict?: VerdictRecord;
  error?: { code: string; message: string };
}

/** The limit of one agent's answer in a gate's question, in lists and in messages; the gate's document has the whole answer. */
export const ADVICE_LIMIT = 300;

/** Whether data from outside is the answer of a member of a chain. */
export function isEarlierAdvice(value: unknown): value is EarlierAdvice {
  if (!isJsonObject(value)) return false;
  const { agent, said, advice } = value;
  const known: readonly unknown[] = ESCALATION_DECISIONS;
  return typeof agent === 'string' && typeof said === 'string' && (advice === undefined || known.includes(advice));
}
