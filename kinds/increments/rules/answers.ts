import { type AnswerSchema, SAID } from '../../../plan/patterns/answer-schema';
import { VERDICT_WORDS } from '../../../plan/steps/verdict';
import { MOST_TASKS } from './increments';

/** What agents answer about an increment (docs/patterns.md, CP-6). */

/** The answer of its executor. */
export const INCREMENT_REPORT_SCHEMA = {
  type: 'object',
  required: ['summary'],
  properties: {
    summary: SAID,
    blocked: { type: 'array', items: { type: 'string' }, maxItems: MOST_TASKS, description: 'ids of tasks that could not be done' },
  },
} as const satisfies AnswerSchema;

const FINDING = {
  type: 'object',
  required: ['description'],
  properties: { file: { type: 'string', maxLength: 1000 }, line: { type: 'integer', minimum: 1 }, description: SAID, suggestion: SAID },
} as const;
const FINDINGS = { type: 'array', maxItems: 100, items: FINDING } as const;

/** The answer of its validator, a review with findings as CP-2 has them. */
export const VALIDATION_SCHEMA = {
  type: 'object',
  required: ['verdict'],
  properties: {
    verdict: { enum: VERDICT_WORDS },
    suggestion: SAID,
    findings: {
      type: ['object', 'array'],
      description: 'a list for each severity, or one list of findings that have a `severity`',
      properties: { critical: FINDINGS, high: FINDINGS, medium: FINDINGS, low: FINDINGS },
      additionalProperties: false,
      maxItems: 400,
      items: { ...FINDING, properties: { ...FINDING.properties, severity: { type: 'string', maxLength: 100 } } },
    },
  },
} as const satisfies AnswerSchema;
