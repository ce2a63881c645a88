/**
 * The JSON Schema of an agent's answer in a collaboration pattern. Each is in the `rules/` of its kind and comes with the program. A
 * pipeline's own schema of the same name applies too: an answer satisfies both (`compiler/lower/parts/answer-output.ts`). So all of them
 * are open.
 */
export interface AnswerSchema {
  type: 'object';
  required: readonly string[];
  properties: object;
}

/** A text that says something. */
export const SAID = { type: 'string', pattern: '\\S', maxLength: 8000 } as const;
export const SAID_LIST = { type: 'array', items: SAID, maxItems: 100 } as const;
/** How sure an agent is. */
export const CONFIDENCE = { type: 'number', minimum: 0, maximum: 1 } as const;
