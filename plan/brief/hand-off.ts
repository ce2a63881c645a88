import { isJsonObject } from '../text/json';

/**
 * Hand-offs: what the roles of a brief give each other, as JSON in the last fenced block of a reply. The rows below are the shapes, once:
 * their types, the reader (`read-hand-off.ts`) and the JSON Schemas (`hand-off-schema.ts`) derive from them.
 */

export const REVIEW_VERDICTS = ['pass', 'fail', 'needs_retry'] as const;
export type ReviewVerdict = (typeof REVIEW_VERDICTS)[number];

export const ESCALATION_SEVERITIES = ['info', 'warn', 'error'] as const;
export type EscalationSeverity = (typeof ESCALATION_SEVERITIES)[number];

const BUDGET_METRICS = ['tokens', 'wall_clock_ms', 'tool_calls'] as const;

/** Limits in characters, after control characters are gone. A longer text is malformed: cutting it would change what it says. */
export const MOST_TEXT = 16_000;
/** Ids are in addresses of the journal and in state. */
const MOST_ID = 100;
export const MOST_SUB_TASKS = 64;
/** More entries are left out: nothing is decided by what an agent says of its calls. */
export const MOST_TOOL_CALLS = 256;

/** The form of a value. `most`: characters of a text, entries of a list. */
export type Shape =
  | { is: 'text'; most: number }
  /** A text without line breaks. */
  | { is: 'line'; most: number }
  | { is: 'number' }
  | { is: 'word'; words: readonly string[] }
  /** `isCut`: what is beyond `most` is left out. Otherwise it is a mistake. */
  | { is: 'list'; of: Shape; least: number; most: number; isCut?: true }
  | { is: 'object'; rows: Rows };

/** A field. Absent, null and blank are the same: a mistake, unless the field is optional. */
export interface Row {
  shape: Shape;
  doc: string;
  optional?: true;
}

export type Rows = Readonly<Record<string, Row>>;

const TEXT = { is: 'text', most: MOST_TEXT } as const;
const LINE = { is: 'line', most: MOST_TEXT } as const;
const ID = { is: 'line', most: MOST_ID } as const;

const SUB_TASK = {
  id: { shape: ID, doc: 'a short name, which no other sub-task has' },
  title: { shape: LINE, doc: 'one line' },
  instruction: { shape: TEXT, doc: 'what is to be done, for somebody who reads nothing else' },
  acceptance_criteria: {
    shape: { is: 'list', of: TEXT, least: 1, most: MOST_SUB_TASKS },
    doc: 'what has to be true when it is done, one criterion for each entry',
  },
  order: { shape: { is: 'number' }, doc: 'its place among the others, where `depends_on` leaves a choice', optional: true },
  depends_on: {
    shape: { is: 'list', of: ID, least: 0, most: MOST_SUB_TASKS },
    doc: 'ids of the sub-tasks that have to be done before',
    optional: true,
  },
  role: { shape: ID, doc: 'the role that does it, if it is not the executor', optional: true },
} as const satisfies Rows;

const TOOL_CALL = {
  name: { shape: LINE, doc: 'the tool' },
  call_id: { shape: LINE, doc: 'the id of the call', optional: true },
  summary: { shape: TEXT, doc: 'what it did', optional: true },
} as const satisfies Rows;

/** Everything but `kind`, for each kind of hand-off. */
export const HAND_OFF_ROWS = {
  plan: {
    subtasks: {
      shape: { is: 'list', of: { is: 'object', rows: SUB_TASK }, least: 1, most: MOST_SUB_TASKS },
      doc: 'the parts of the work',
    },
    rationale: { shape: TEXT, doc: 'why the work is divided in this way', optional: true },
  },
  execution: {
    subtask_id: { shape: ID, doc: 'the id of the sub-task that was assigned' },
    output: { shape: TEXT, doc: 'the result, for the reviewer' },
    tool_calls: {
      shape: { is: 'list', of: { is: 'object', rows: TOOL_CALL }, least: 0, most: MOST_TOOL_CALLS, isCut: true },
      doc: 'the calls of tools that matter for the review',
      optional: true,
    },
    notes: { shape: TEXT, doc: 'decisions, surprises, doubts', optional: true },
  },
  review: {
    subtask_id: { shape: ID, doc: 'the id of the sub-task that was assigned' },
    verdict: { shape: { is: 'word', words: REVIEW_VERDICTS }, doc: 'whether the result meets the criteria' },
    rationale: { shape: TEXT, doc: 'why' },
    suggested_revision: { shape: TEXT, doc: 'what to change, for `needs_retry`', optional: true },
  },
  escalation: {
    severity: { shape: { is: 'word', words: ESCALATION_SEVERITIES }, doc: '`error` if the work cannot go on' },
    role: { shape: ID, doc: 'your role' },
    reason: { shape: TEXT, doc: 'what a person has to decide' },
    context: { shape: TEXT, doc: 'what they have to know for it', optional: true },
    budget_metric: { shape: { is: 'word', words: BUDGET_METRICS }, doc: 'the budget that is used up', optional: true },
  },
} as const satisfies Readonly<Record<string, Rows>>;

export type HandOffKind = keyof typeof HAND_OFF_ROWS;
export const HAND_OFF_KINDS = Object.keys(HAND_OFF_ROWS) as HandOffKind[];

export type HandOff<K extends HandOffKind = HandOffKind> = { [One in K]: { kind: One } & FieldsOf<(typeof HAND_OFF_ROWS)[One]> }[K];
export type SubTask = FieldsOf<typeof SUB_TASK>;

/** Whether stored data is a plan. The reader of hand-offs wrote it, so it is known by its outline. */
export function isStoredPlan(value: unknown): value is HandOff<'plan'> {
  return isJsonObject(value) && value['kind'] === 'plan' && Array.isArray(value['subtasks']);
}

/** The kinds that a role is asked for. An escalation is always allowed. */
export type AskedKind = Exclude<HandOffKind, 'escalation'>;

type FieldsOf<R extends Rows> = { [N in keyof R as R[N] extends { optional: true } ? never : N]: ValueOf<R[N]['shape']> } & {
  [N in keyof R as R[N] extends { optional: true } ? N : never]?: ValueOf<R[N]['shape']>;
};

type ValueOf<S> = S extends { is: 'text' | 'line' }
  ? string
  : S extends { is: 'number' }
    ? number
    : S extends { is: 'word'; words: readonly (infer W)[] }
      ? W
      : S extends { is: 'list'; of: infer Entry }
        ? ValueOf<Entry>[]
        : S extends { is: 'object'; rows: infer R extends Rows }
          ? FieldsOf<R>
          : never;
