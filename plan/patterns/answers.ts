import { MOST_OPTIONS } from '../../kinds/consensus/rules/proposal';
import { LEVEL_ANSWER_SCHEMA } from '../../kinds/escalate/rules/issue';
import { MOST_TASKS } from '../../kinds/increments/rules/increments';
import { FIX_SCHEMA } from '../../kinds/swarm/rules/diagnosis';
import { CHOICE_WORD } from '../people/gate';
import { VOTE_SCHEMA } from '../people/vote';
import { VERDICT_WORDS } from '../steps/verdict';
import { ADVICE_SCHEMA } from './advice';

const TEXT = { type: 'string', pattern: '\\S', maxLength: 8000 } as const;
const TEXTS = { type: 'array', items: TEXT, maxItems: 100 } as const;
const FINDING = {
  type: 'object',
  required: ['description'],
  properties: { file: { type: 'string', maxLength: 1000 }, line: { type: 'integer', minimum: 1 }, description: TEXT, suggestion: TEXT },
} as const;
const FINDINGS = { type: 'array', maxItems: 100, items: FINDING } as const;
const CONFIDENCE = { type: 'number', minimum: 0, maximum: 1 } as const;

/**
 * The answers of agents in collaboration patterns, as JSON Schemas that come with the program. A pipeline's own schema of the same name
 * applies too: an answer satisfies both (`compiler/lower/parts/answer-schema.ts`). So all of them are open.
 */
export const ANSWER_SCHEMAS = {
  /** CP-4. */
  'Vote.json': VOTE_SCHEMA,
  /** CP-4, of who revises a proposal. */
  'Proposal.json': {
    type: 'object',
    required: ['title'],
    properties: {
      title: { type: 'string', pattern: '\\S', maxLength: 200 },
      context: {},
      options: {
        type: 'array',
        maxItems: MOST_OPTIONS,
        items: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string', pattern: CHOICE_WORD.source }, description: { type: 'string' }, pros: TEXTS, cons: TEXTS },
        },
      },
    },
  },
  /** CP-5, of each level. */
  'Escalation.json': LEVEL_ANSWER_SCHEMA,
  /** CP-6, of an increment's executor. */
  'Increment_Report.json': {
    type: 'object',
    required: ['summary'],
    properties: {
      summary: TEXT,
      blocked: { type: 'array', items: { type: 'string' }, maxItems: MOST_TASKS, description: 'ids of tasks that could not be done' },
    },
  },
  /** CP-6, the answer of an increment's validator, which contains CP-2's. */
  'Validation.json': {
    type: 'object',
    required: ['verdict'],
    properties: {
      verdict: { enum: VERDICT_WORDS },
      suggestion: TEXT,
      findings: {
        type: ['object', 'array'],
        description: 'a list for each severity, or one list of findings that have a `severity`',
        properties: { critical: FINDINGS, high: FINDINGS, medium: FINDINGS, low: FINDINGS },
        additionalProperties: false,
        maxItems: 400,
        items: { ...FINDING, properties: { ...FINDING.properties, severity: { type: 'string', maxLength: 100 } } },
      },
    },
  },
  /** CP-7. */
  'Diagnosis.json': {
    type: 'object',
    required: ['root_cause', 'confidence', 'fix_suggestion'],
    properties: { perspective: TEXT, root_cause: TEXT, confidence: CONFIDENCE, fix_suggestion: TEXT },
  },
  /** CP-7, the answer of an agent that applies a fix. */
  'Fix.json': FIX_SCHEMA,
  /** CP-8. */
  'Advice.json': ADVICE_SCHEMA,
  /** CP-9. */
  'Alignment.json': {
    type: 'object',
    required: ['status'],
    properties: {
      status: { enum: ['ALIGNED', 'MISALIGNED'] },
      ...{ trackA_state: {}, trackB_state: {} },
      conflicts: { type: 'array', maxItems: 100 },
      adjust: { enum: ['a', 'b', 'both'], description: 'where they are not aligned: who adjusts' },
    },
  },
  /** CP-10. */
  'Retrospective.json': {
    type: 'object',
    required: ['went_well', 'difficult', 'suggestions', 'patterns'],
    properties: {
      ...{ went_well: TEXTS, difficult: TEXTS, suggestions: TEXTS, patterns: TEXTS },
      root_causes: {
        type: 'array',
        maxItems: 20,
        items: { type: 'object', required: ['cause', 'prevention'], properties: { cause: TEXT, prevention: TEXT } },
      },
      confirmed: {
        type: 'array',
        items: { type: 'string' },
        maxItems: 100,
        description: 'ids of entries of the memory that held in this run',
      },
    },
  },
} as const;
export type AnswerName = keyof typeof ANSWER_SCHEMAS;
