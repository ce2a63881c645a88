import { type AnswerSchema, SAID, SAID_LIST } from '../../../plan/patterns/answer-schema';

/** An agent's answer to a post-mortem (docs/patterns.md, CP-10). */
export const RETROSPECTIVE_SCHEMA = {
  type: 'object',
  required: ['went_well', 'difficult', 'suggestions', 'patterns'],
  properties: {
    ...{ went_well: SAID_LIST, difficult: SAID_LIST, suggestions: SAID_LIST, patterns: SAID_LIST },
    root_causes: {
      type: 'array',
      maxItems: 20,
      items: { type: 'object', required: ['cause', 'prevention'], properties: { cause: SAID, prevention: SAID } },
    },
    confirmed: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 100,
      description: 'ids of entries of the memory that held in this run',
    },
  },
} as const satisfies AnswerSchema;
