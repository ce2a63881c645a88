import { type AnswerSchema, CONFIDENCE, SAID } from '../../../plan/patterns/answer-schema';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import type { Diagnosis, RankedDiagnosis } from './best-diagnosis';

/**
 * A swarm's issue, the findings of each round and the attempts (docs/patterns.md, CP-7). Every round appends to one record, which the
 * agents read and which is the final output of the step.
 */

/** `overruled`: it is not solved, and a person let it pass. */
const SWARM_OUTCOMES = ['solved', 'unsolved', 'overruled'] as const;
export type SwarmOutcome = (typeof SWARM_OUTCOMES)[number];

/** The record. Its keys are those of the output: expressions read them. */
export type SwarmRecord = {
  outcome: 'open' | SwarmOutcome;
  issue: Json;
  affected: string[];
  /** Who has fixed it, whose diagnosis that was, and how. */
  by: string | null;
  diagnosed_by: string | null;
  root_cause: string | null;
  solution: string | null;
  rounds: SwarmRound[];
  tried: TriedFix[];
};

export type SwarmRound = {
  round: number;
  /** The diagnoses unchanged, in the order of the file. */
  diagnoses: Diagnosis[];
  /** Agents without a valid answer, and why. */
  skipped: { agent: string; reason: string }[];
  /** What is tried, the best first. */
  candidates: RankedDiagnosis[];
};

/**
 * `broke`: something fails that had not failed before. `unsolved`: the failures are unchanged. `not_applied`: nobody has applied it, or the
 * attempt failed.
 */
export type FixOutcome = 'solved' | 'broke' | 'unsolved' | 'not_applied';

export type TriedFix = {
  round: number;
  diagnosed_by: string;
  root_cause: string;
  fix_suggestion: string;
  fixer: string;
  outcome: FixOutcome;
  /** Why it is no solution. */
  reason?: string;
  /** The worktree is again as it was before. */
  rolled_back?: boolean;
};

/** The answer of an agent that diagnoses. */
export const DIAGNOSIS_SCHEMA = {
  type: 'object',
  required: ['root_cause', 'confidence', 'fix_suggestion'],
  properties: { perspective: SAID, root_cause: SAID, confidence: CONFIDENCE, fix_suggestion: SAID },
} as const satisfies AnswerSchema;

/** The answer of an agent that applies a fix. */
export const FIX_SCHEMA = {
  type: 'object',
  required: ['applied', 'summary'],
  properties: {
    applied: { type: 'boolean', description: 'whether you have applied it' },
    summary: { ...SAID, description: 'what you have changed, or why you could not' },
  },
} as const satisfies AnswerSchema;
/** The fields of a fix that control reads. */
export const FIX_READS = [['applied']];

/** The fields of a diagnosis that control reads, to journal it. */
export const DIAGNOSIS_READS = [['root_cause'], ['confidence'], ['fix_suggestion']];

/** Undefined if the answer is no diagnosis, such as one with a confidence of 7 or "high". */
export function readDiagnosis(
  document: Json | undefined,
  { name, perspective }: { name: string; perspective: string },
): Diagnosis | undefined {
  const [cause, confidence, fix] = ['root_cause', 'confidence', 'fix_suggestion'].map((key) => field(document, key));
  if (typeof cause !== 'string' || typeof fix !== 'string' || cause.trim() === '' || fix.trim() === '') return undefined;
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) return undefined;
  return { by: name, perspective, root_cause: cause, confidence, fix_suggestion: fix };
}

export function readSwarmRecord(document: Json | undefined): SwarmRecord {
  const written: JsonObject = isJsonObject(document) ? document : {};
  const { rounds, tried } = written;
  return {
    ...EMPTY,
    ...written,
    rounds: (Array.isArray(rounds) ? rounds : []) as SwarmRound[],
    tried: (Array.isArray(tried) ? tried : []) as TriedFix[],
  };
}

const EMPTY: SwarmRecord = {
  ...{ outcome: 'open', issue: null, affected: [], by: null, diagnosed_by: null, root_cause: null, solution: null, rounds: [], tried: [] },
};

/** What expressions can read of the output. */
export const SWARM_OUTPUT_FIELDS = Object.keys(EMPTY);
