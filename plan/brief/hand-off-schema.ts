import { defined } from '../defined';
import type { Json, JsonObject } from '../text/json';
import { type AskedKind, HAND_OFF_ROWS, type Rows, type Shape } from './hand-off';

/**
 * The JSON Schema of a hand-off, for services that hold a model to one. An escalation may take its place, and such services know no
 * alternatives at the root: so it is one object with the fields of both, of which only `kind` is required. The reader checks the rest.
 */
export function handOffSchema(kind: AskedKind): JsonObject {
  const { properties } = objectSchema({ ...HAND_OFF_ROWS[kind], ...HAND_OFF_ROWS.escalation });
  const kinds = { type: 'string', enum: [kind, 'escalation'], description: '`escalation`: a person has to decide before this can be done' };
  return { type: 'object', required: ['kind'], properties: { kind: kinds, ...properties }, additionalProperties: false };
}

function objectSchema(rows: Rows): { properties: JsonObject; required: string[] } {
  const fields = Object.entries(rows);
  return {
    properties: Object.fromEntries(fields.map(([name, { shape, doc }]) => [name, { ...schemaOf(shape), description: doc }])),
    required: fields.flatMap(([name, { optional }]) => (optional ? [] : [name])),
  };
}

function schemaOf(shape: Shape): Record<string, Json> {
  switch (shape.is) {
    case 'text':
    case 'line':
      return { type: 'string', maxLength: shape.most };
    case 'number':
      return { type: 'number' };
    case 'word':
      return { type: 'string', enum: [...shape.words] };
    case 'list': {
      const { of, least, most, isCut } = shape;
      return { type: 'array', items: schemaOf(of), ...defined({ minItems: least || undefined, maxItems: isCut ? undefined : most }) };
    }
    case 'object':
      return { type: 'object', ...objectSchema(shape.rows), additionalProperties: false };
  }
}
