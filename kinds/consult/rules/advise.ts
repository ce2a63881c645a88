import { defined } from '../../../plan/defined';
import {
  type Advice,
  type AdviceOutcome,
  type Answered,
  adviceInBrief,
  type ConsultRecord,
  isSure,
  optionOf,
  readAdvice,
  readConsultRecord,
  UNVERIFIED,
  type Urgency,
} from '../../../plan/patterns/advice';
import { brief } from '../../../plan/patterns/brief';
import { field, type Json } from '../../../plan/text/json';

/**
 * Decides who is asked next in a consultation, and which advice counts (docs/patterns.md, CP-8).
 *
 * Invariants: 1. the specialist for the topic is asked first, the fallback if there is none or if it gave no answer; 2. an unsure adviser
 * is asked once more, and nobody a third time; 3. then a second opinion is asked for, once; 4. sure advice ends it; 5. the end of the time
 * ends it: the surest advice is kept, and marked.
 */

export type AskedAs = Answered['as'];

/** Whom to ask next. */
export interface ConsultMove {
  ask: AskedAs;
  /** The same adviser was not sure, and reads its own answer again. */
  followUp?: true;
}

/** The possible advisers, by role. */
export type Advisers = Partial<Record<AskedAs, string>>;

export interface AskGiven {
  topic: string;
  urgency: Urgency;
}

export interface AskValues {
  /** Empty if there is nothing to ask. */
  question: string;
  options: string[];
}

export interface AdviseGiven {
  move: ConsultMove;
  advisers: Advisers;
  /** Why the adviser gave no answer. Absent: the answer is the document `answer`. */
  failed?: string;
  /** The time is up. */
  late?: true;
}

export interface AdviseValues {
  next: ConsultMove | { end: AdviceOutcome };
  /** What was answered: the feedback signal, in brief. Absent if there is no answer. */
  answer?: Advice;
  by?: string;
  confidence?: number;
  recommendation?: string;
}

/** The note on an adviser that is silent until the time is up. */
export const NO_ANSWER_IN_TIME = 'gave no answer in time';

export const ANSWER_DOCUMENT = 'answer';
export const CONSULT_DOCUMENT = 'consultation';

/** The initial record of the step's question. */
export function askAdvice(
  { topic, urgency }: AskGiven,
  documents: Readonly<Record<string, Json>>,
): { result: ConsultRecord; values: AskValues } {
  const matter = documents['matter'];
  const [question, context, listed] = ['question', 'context', 'options'].map((key) => field(matter, key));
  const options = (Array.isArray(listed) ? listed : []).map(textOf).filter((option) => option !== '');
  const result = { ...readConsultRecord(null), topic, urgency, question: textOf(question), context: context ?? null, options };
  return { result, values: { question: brief(result.question), options: options.map(brief) } };
}

export function advise(given: AdviseGiven, documents: Readonly<Record<string, Json>>): { result: ConsultRecord; values: AdviseValues } {
  const before = readConsultRecord(documents[CONSULT_DOCUMENT]);
  const answered = answeredIn(given, documents[ANSWER_DOCUMENT]);
  const record = { ...before, answers: [...before.answers, answered] };
  const next = nextMove(given, answered, record);
  const result = 'end' in next ? ended(record, next.end) : record;
  const { by, confidence, recommendation } = result;
  const values: AdviseValues = {
    next,
    ...('advice' in answered ? { answer: adviceInBrief(answered.advice) } : {}),
    ...(by === null || confidence === null || recommendation === null ? {} : { by, confidence, recommendation: brief(recommendation) }),
  };
  return { result, values };
}

function answeredIn({ move, advisers, failed, late }: AdviseGiven, answer: Json | undefined): Answered {
  const who = { by: advisers[move.ask] ?? '', as: move.ask, ...defined({ follow_up: move.followUp }) };
  const advice = failed === undefined && !late ? readAdvice(answer) : undefined;
  return advice ? { ...who, advice } : { ...who, failed: failed ?? (late ? NO_ANSWER_IN_TIME : 'gave no advice') };
}

function nextMove({ move, advisers, late }: AdviseGiven, answered: Answered, { options }: ConsultRecord): AdviseValues['next'] {
  if ('advice' in answered && isSure(answered.advice, options)) return { end: 'advised' };
  if (late || move.ask === 'second_opinion') return { end: 'unverified' };
  if ('advice' in answered && !move.followUp) return { ask: move.ask, followUp: true };
  if ('failed' in answered && !move.followUp && move.ask === 'consultant' && advisers.fallback !== undefined) return { ask: 'fallback' };
  return advisers.second_opinion === undefined ? { end: 'unverified' } : { ask: 'second_opinion' };
}

function ended(record: ConsultRecord, outcome: AdviceOutcome): ConsultRecord {
  const best = bestOf(record);
  if (!best) return { ...record, outcome, marked: UNVERIFIED };
  const { by, advice } = best;
  return {
    ...record,
    ...{ outcome, by, recommendation: advice.recommendation, option: optionOf(advice, record.options) ?? null },
    ...{ rationale: advice.rationale, confidence: advice.confidence, references: advice.references ?? [], caveats: advice.caveats ?? [] },
    ...{ alternative: advice.alternative ?? null, design_conflict: advice.design_conflict ?? null },
    marked: outcome === 'unverified' ? UNVERIFIED : null,
  };
}

/** Sure advice comes before any other, then the surest, then the last. */
function bestOf({ answers, options }: ConsultRecord): Extract<Answered, { advice: unknown }> | undefined {
  const given = answers.filter((one) => 'advice' in one);
  return given.reduce<(typeof given)[number] | undefined>((best, one) => (best && isBetter(best, one, options) ? best : one), undefined);
}

function isBetter(best: Extract<Answered, { advice: unknown }>, other: typeof best, options: readonly string[]): boolean {
  const [sure, otherSure] = [best, other].map(({ advice }) => isSure(advice, options));
  if (sure !== otherSure) return sure === true;
  return best.advice.confidence > other.advice.confidence;
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value.trim() : JSON.stringify(value);
}
