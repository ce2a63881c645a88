import { defined } from '../defined';
import { field, isJsonObject, type Json, type JsonObject, textIn } from '../text/json';
import { type AnswerSchema, CONFIDENCE, SAID, SAID_LIST } from './answer-schema';
import { brief } from './brief';

/**
 * A consultation's question, and how its answers are read (docs/patterns.md, CP-8). The asking agent keeps the work and applies the advice.
 */

/** How long advice is waited for, in milliseconds. Absent: without end. */
export const URGENCY_MS = { blocking: 2 * 60_000, normal: 5 * 60_000, low: undefined } as const;
export const URGENCIES = ['blocking', 'normal', 'low'] as const satisfies readonly (keyof typeof URGENCY_MS)[];
export type Urgency = (typeof URGENCIES)[number];

/** From this confidence on, advice counts as it is. */
const SURE = 0.8;

/** `unverified`: no adviser was sure enough in time, so the asking agent uses its own judgement. */
const ADVICE_OUTCOMES = ['advised', 'unverified'] as const;
export type AdviceOutcome = (typeof ADVICE_OUTCOMES)[number];

export const UNVERIFIED = 'UNVERIFIED';

/** The JSON Schema of advice. */
export const ADVICE_SCHEMA = {
  type: 'object',
  required: ['recommendation', 'rationale', 'confidence'],
  properties: {
    recommendation: { ...SAID, description: 'what to do; if there are options, one of them word for word' },
    rationale: { ...SAID, description: 'why' },
    confidence: { ...CONFIDENCE, description: 'how sure you are' },
    references: { ...SAID_LIST, description: 'what the advice rests on' },
    caveats: { ...SAID_LIST, description: 'when the advice does not hold, and what to look out for' },
    alternative: { ...SAID, description: 'the next best thing to do' },
    design_conflict: { ...SAID, description: 'only if the advice contradicts the design: what it contradicts, and why' },
  },
} as const satisfies AnswerSchema;

/** The fields of advice that control reads: the rule reads the rest. */
export const ADVICE_READS = [['confidence']];

/** One answer, as far as it can be read. */
export type Advice = {
  recommendation: string;
  rationale: string;
  confidence: number;
  references?: string[];
  caveats?: string[];
  alternative?: string;
  design_conflict?: string;
};

/** Parses an answer that its schema has accepted; undefined for anything else. */
export function readAdvice(value: Json | undefined): Advice | undefined {
  const [recommendation, rationale, alternative, conflict] = ['recommendation', 'rationale', 'alternative', 'design_conflict'].map((key) =>
    textIn(value, key),
  );
  const confidence = field(value, 'confidence');
  if (recommendation === undefined || typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) return undefined;
  const [references, caveats] = ['references', 'caveats'].map((key) => textsIn(value, key));
  return {
    ...{ recommendation, rationale: rationale ?? '', confidence },
    ...defined({ references, caveats, alternative, design_conflict: conflict }),
  };
}

/** One answer of a consultation, or why there is none. */
export type Answered = { by: string; as: 'consultant' | 'fallback' | 'second_opinion'; follow_up?: true } & (
  | { advice: Advice }
  | { failed: string }
);

/** The record, which is the output in the end. Its keys are those that expressions read. */
export type ConsultRecord = {
  outcome: 'open' | AdviceOutcome;
  topic: string;
  question: string;
  context: Json;
  options: string[];
  urgency: Urgency;
  by: string | null;
  recommendation: string | null;
  /** Which of the options is recommended. */
  option: string | null;
  rationale: string | null;
  confidence: number | null;
  references: string[];
  caveats: string[];
  alternative: string | null;
  design_conflict: string | null;
  /** `UNVERIFIED` if no adviser was sure enough in time. */
  marked: typeof UNVERIFIED | null;
  answers: Answered[];
};

const EMPTY: ConsultRecord = {
  ...{ outcome: 'open', topic: '', question: '', context: null, options: [], urgency: 'normal', by: null, recommendation: null },
  ...{ option: null, rationale: null, confidence: null, references: [], caveats: [], alternative: null, design_conflict: null },
  ...{ marked: null, answers: [] },
};

export const CONSULT_OUTPUT_FIELDS = Object.keys(EMPTY);

export function readConsultRecord(document: Json | undefined): ConsultRecord {
  const written: JsonObject = isJsonObject(document) ? document : {};
  return { ...EMPTY, ...written, answers: Array.isArray(written['answers']) ? (written['answers'] as Answered[]) : [] };
}

/** The option that advice recommends; undefined if it names none of them. */
export function optionOf({ recommendation }: Advice, options: readonly string[]): string | undefined {
  const said = recommendation.trim().toLowerCase();
  return options.find((option) => option.trim().toLowerCase() === said);
}

/** Whether advice counts: the adviser is sure, and names one of the options if there are any. */
export function isSure(advice: Advice, options: readonly string[]): boolean {
  return advice.confidence >= SURE && (options.length === 0 || optionOf(advice, options) !== undefined);
}

const MOST_LISTED = 5;

export function adviceInBrief(advice: Advice): Advice {
  const short = Object.entries(advice).map(([key, value]) => [
    key,
    typeof value === 'string' ? brief(value) : Array.isArray(value) ? value.slice(0, MOST_LISTED).map(brief) : value,
  ]);
  return Object.fromEntries(short) as Advice;
}

function textsIn(value: Json | undefined, key: string): string[] | undefined {
  const found = field(value, key);
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : undefined;
}
