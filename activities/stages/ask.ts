import { createHash } from 'node:crypto';
import { defined } from '../../plan/defined';
import type { GateForm } from '../../plan/people/gate';
import { ThermidorFailure } from '../../plan/run/failure';
import { isJsonObject, type Json } from '../../plan/text/json';
import { checkSchemaHere } from '../schemas/schema-check';
import { asLine, type Item } from './items/item';
import { flagText, hasFlag, type StageCall } from './stage-call';
import { parseFlag, stageFailed } from './stage-failure';

/** The requested answer if the author gives no schema. */
const DECISION: Json = {
  type: 'object',
  properties: {
    decision: { type: 'string', enum: ['approve', 'reject', 'redraft'] },
    feedback: { type: 'string', description: 'Feedback for redraft' },
  },
  required: ['decision'],
};

/** `ask --prompt P [--schema J] [--subject-from-stdin]`: asks for a response that satisfies the schema; the response continues. */
export function ask(call: StageCall, items: readonly Item[]): GateForm {
  const responseSchema = schemaOf(call);
  const withSubject = hasFlag(call, 'subject-from-stdin', 'subjectFromStdin') && items.length > 0;
  const subject = withSubject ? { text: items.map(asLine).join('\n') } : undefined;
  return { prompt: flagText(call, 'prompt') ?? 'Input required', responseSchema, ...defined({ subject }) };
}

function schemaOf(call: StageCall): Json {
  const written = flagText(call, 'schema');
  if (!written) return DECISION;
  const schema = parseFlag(call, written, 'ask --schema must be valid JSON');
  if (!isJsonObject(schema)) throw stageFailed(call, 'ask --schema must decode to a JSON schema object');
  try {
    // Tried on any value: an invalid schema must not halt the pipe with a question nobody can answer.
    checkSchemaHere(createHash('sha256').update(written).digest('hex'), schema, null);
  } catch (error) {
    if (error instanceof ThermidorFailure) throw stageFailed(call, `ask response schema is invalid: ${error.message}`);
    throw error;
  }
  return schema;
}
