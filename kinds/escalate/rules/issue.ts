import { defined } from '../../../plan/defined';
import { type AnswerSchema, SAID, SAID_LIST } from '../../../plan/patterns/answer-schema';
import { field, isJsonObject, type Json, type JsonObject, textIn } from '../../../plan/text/json';

/**
 * The subject of an escalation and each level's answers (docs/patterns.md, CP-5). Every level appends to one record, which the next one
 * reads and which is the final output of the step.
 */

const ESCALATION_OUTCOMES = ['solved', 'workaround', 'root_cause', 'unsolved'] as const;
export type EscalationOutcome = (typeof ESCALATION_OUTCOMES)[number];

/** The record. Its keys are those of the output: expressions read them. */
export type EscalationRecord = {
  outcome: 'open' | EscalationOutcome;
  issue: Json;
  /** The task as a level has redefined it. */
  task: string | null;
  /** Where it ended, and who solved it there. */
  level: number | null;
  by: string | null;
  solution: string | null;
  root_cause: string | null;
  /** `WORKAROUND` if the most conservative option was taken, because nobody solved it in time. */
  marked: typeof WORKAROUND | null;
  /** What the first level should know the next time. */
  pattern: { problem: string; solution: string } | null;
  diagnosis_chain: Diagnosis[];
};

export const WORKAROUND = 'WORKAROUND';

/** One level's answers and attempts. */
export type Diagnosis = {
  level: number;
  agent: string;
  attempts: number;
  diagnosis: string;
  tried?: string[];
  recommendation?: string;
  redefined_task?: string;
  root_cause?: string;
  /** The outcome of its recommendation, or of the redefined task, when the first agent carried it out. */
  applied?: { by: string; diagnosis: string; tried?: string[] };
  /** Why the check refused the solution. */
  check?: string;
};

/** What a level answers. */
export interface LevelAnswer {
  solved: boolean;
  diagnosis: string;
  tried: string[];
  recommendation?: string;
  redefinedTask?: string;
  rootCause?: string;
}

/** The JSON Schema of an answer. */
export const LEVEL_ANSWER_SCHEMA = {
  type: 'object',
  required: ['solved', 'diagnosis'],
  properties: {
    solved: { type: 'boolean', description: 'whether the issue is solved now' },
    diagnosis: { ...SAID, description: 'what the cause is, as far as you know' },
    tried: { ...SAID_LIST, description: 'what you have tried' },
    recommendation: { ...SAID, description: 'how the first agent can solve it' },
    redefined_task: { ...SAID, description: 'what the task has to be, if the task itself is the problem' },
    root_cause: { ...SAID, description: 'only if the whole plan is wrong, and not just this step' },
  },
} as const satisfies AnswerSchema;

/** The fields of an answer that control reads: the rule reads the rest. */
export const LEVEL_ANSWER_READS = [['solved']];

/** Parses an answer that its schema has accepted; from anything else it takes what it can. */
export function readAnswer(value: Json | undefined): LevelAnswer {
  const [recommendation, redefinedTask, rootCause] = ['recommendation', 'redefined_task', 'root_cause'].map((key) => textIn(value, key));
  const tried = field(value, 'tried');
  return {
    solved: field(value, 'solved') === true,
    diagnosis: textIn(value, 'diagnosis') ?? 'none',
    tried: Array.isArray(tried) ? tried.filter((one) => typeof one === 'string') : [],
    ...defined({ recommendation, redefinedTask, rootCause }),
  };
}

/** A person's choices. Their comment has the details. The last is the most careful. */
export const PERSON_CHOICES = ['solved', 'solution', 'redefine', 'replan', 'abort', 'workaround'] as const;

/** The meaning of a person's silence once their time is up: the most conservative option, or a failure of the step. */
export const LEVEL_TIMEOUTS = ['workaround', 'stop'] as const;
export type LevelTimeout = (typeof LEVEL_TIMEOUTS)[number];

/** A person's choice as the answer that an agent would have given. */
export function answerOfPerson(choice: Json | undefined, comment: Json | undefined): LevelAnswer {
  const said = typeof comment === 'string' && comment.trim() !== '' ? comment : 'gave no answer in time';
  return {
    solved: choice === 'solved',
    diagnosis: said,
    tried: [],
    ...defined({
      recommendation: choice === 'solution' ? said : undefined,
      redefinedTask: choice === 'redefine' ? said : undefined,
      rootCause: choice === 'replan' ? said : undefined,
    }),
  };
}

export function readRecord(document: Json | undefined): EscalationRecord {
  const written: JsonObject = isJsonObject(document) ? document : {};
  const chain = written['diagnosis_chain'];
  return {
    ...EMPTY,
    ...written,
    diagnosis_chain: (Array.isArray(chain) ? chain : []) as Diagnosis[],
  };
}

const EMPTY: EscalationRecord = {
  ...{ outcome: 'open', issue: null, task: null, level: null, by: null, solution: null, root_cause: null, marked: null, pattern: null },
  diagnosis_chain: [],
};

/** What expressions can read of the output. */
export const ESCALATION_OUTPUT_FIELDS = Object.keys(EMPTY);
