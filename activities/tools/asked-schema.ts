import type { Sha256 } from '../../plan/run/artifact';
import { isJsonObject, type Json } from '../../plan/text/json';
import { isTooDeep } from '../../plan/text/json-depth';
import { nearest } from '../../plan/text/nearest-word';
import type { ArtifactStore } from '../../records/artifact-store';
import { compileSchema } from '../json-schema';
import type { LoadedRun } from '../run/loaded-run';

/** The limit of a schema that an agent writes itself, as JSON. */
export const SCHEMA_BYTES = 16 * 1024;
const SCHEMA_LEVELS = 40;

/** The argument `schema` of `sessions_spawn` and `sessions_send`. */
export const SCHEMA_PARAMETER: Json = {
  type: ['string', 'object'],
  description:
    'what the answer must satisfy: the name of an output of this pipeline that has a schema, such as Report.json, or a JSON Schema of an object. ' +
    'Without it the answer has the schema of its agent, else {summary, findings[], artifacts[]}',
};

export type AskedSchema = { digest?: Sha256 } | { refusal: string };

/**
 * The schema in which an agent wants an answer, stored; or why it is invalid. Agents are outsiders: their schemas are bounded and compiled
 * first.
 */
export async function askedSchema(artifacts: ArtifactStore, run: Pick<LoadedRun, 'steps'>, given: Json | undefined): Promise<AskedSchema> {
  if (given === undefined) return {};
  if (typeof given === 'string') return namedSchema(run, given);
  const text = JSON.stringify(given);
  const problem = schemaProblem(given, text);
  if (problem !== undefined) return { refusal: `"schema" is not a JSON Schema that an answer can be checked against: ${problem}` };
  return { digest: (await artifacts.put(text, { mediaType: 'application/schema+json', name: 'answer.schema.json' })).sha256 };
}

function namedSchema({ steps }: Pick<LoadedRun, 'steps'>, name: string): AskedSchema {
  const known = new Map<string, Sha256>();
  for (const step of steps.values()) {
    const output = 'output' in step && typeof step.output === 'object' ? step.output : undefined;
    if (output && 'schema' in output && output.schema !== undefined) known.set(output.name, output.schema);
  }
  const digest = known.get(name) ?? known.get(`${name}.json`);
  if (digest !== undefined) return { digest };
  const near = nearest(name, [...known.keys()]);
  const hint = near === undefined ? `outputs with one: ${[...known.keys()].join(', ') || 'none'}` : `did you mean "${near}"?`;
  return { refusal: `no output of this pipeline named "${name.slice(0, 100)}" has a schema; ${hint}` };
}

/** Why an agent's schema is invalid, in words; undefined if it is valid. Synchronous, and bounded by the size limit. */
export function schemaProblem(schema: Json, text: string): string | undefined {
  if (!isJsonObject(schema)) return 'it is not an object';
  const bytes = Buffer.byteLength(text);
  if (bytes > SCHEMA_BYTES) return `it has ${bytes} bytes; at most ${SCHEMA_BYTES} are allowed`;
  if (isTooDeep(schema, SCHEMA_LEVELS)) return `it nests more than ${SCHEMA_LEVELS} levels deep`;
  const { type } = schema;
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object')))
    return 'an answer is one JSON object, which it does not allow';
  const unchecked: string[] = [];
  const compiled = compileSchema(schema, {
    unchecked: (pattern, why) => unchecked.push(`the pattern ${JSON.stringify(pattern.slice(0, 100))} ${why}`),
  });
  return typeof compiled === 'string' ? compiled.slice(0, 300) : unchecked[0];
}
