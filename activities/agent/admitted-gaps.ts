import type { Fault } from '../../plan/agents/reply-fault';
import { field, isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { MISSING } from '../json-schema';
import { writtenPlace } from '../schemas/schema-faults';

/**
 * The fields that the agent itself says it could not give (docs/protocol.md). `missing_fields` of the whole report counts even if the
 * schema has a field of that name. With a schema such a list counts in every part of the report, and in other spellings such as
 * `missingFields`, unless the schema has a field of that name there: then the list is data.
 */
export function admittedGaps(reply: Json, schema: Json | undefined): Fault[] {
  const listed = field(reply, NAME);
  const found = listed === undefined || listed === null ? [] : gapsIn(listed, [], NAME);
  if (schema === undefined) return found;
  const fields = JSON.stringify(withoutOwn(schema));
  const isData = (key: string) => fields.includes(`${JSON.stringify(key)}:`);
  addGapsBelow(reply, [], isData, found);
  return found;
}

const NAME = 'missing_fields';
/** Further gaps are left out. */
const ENOUGH = 1000;

/** A value nests only so deep (`untrusted-json.ts`). */
function addGapsBelow(part: Json, place: (string | number)[], isData: (key: string) => boolean, found: Fault[]): void {
  if (Array.isArray(part)) {
    for (const [at, item] of part.entries()) addGapsAt(at, item, place, isData, found);
    return;
  }
  for (const [key, inner] of Object.entries(Object(part) as JsonObject)) {
    if (!meansGaps(key) || isData(key)) addGapsAt(key, inner, place, isData, found);
    else if (inner !== null && (place.length > 0 || key !== NAME)) found.push(...gapsIn(inner, place, key));
  }
}

function addGapsAt(at: string | number, inner: Json, place: (string | number)[], isData: (key: string) => boolean, found: Fault[]): void {
  if (typeof inner !== 'object' || inner === null || found.length > ENOUGH) return;
  place.push(at);
  addGapsBelow(inner, place, isData, found);
  place.pop();
}

function meansGaps(key: string): boolean {
  return key.length < 2 * NAME.length && key.toLowerCase().replaceAll(/[^a-z]/g, '') === 'missingfields';
}

/** @param within the part of the report that has the list; its names are of that part */
function gapsIn(listed: Json, within: readonly (string | number)[], key: string): Fault[] {
  const noList: Fault = { path: writtenPlace([...within, key]), reason: 'must be a list of the paths that are missing' };
  if (!Array.isArray(listed)) return [noList];
  const names = listed.filter((name): name is string => typeof name === 'string' && name.trim() !== '');
  const missing = [...new Set(names)].map((name) => ({ path: writtenPlace([...within, name]), reason: MISSING }));
  return names.length < listed.length ? [...missing, noList] : missing;
}

/** The schema without the field by which a whole report admits gaps. */
function withoutOwn(schema: Json): Json {
  const properties = field(schema, 'properties');
  if (!isJsonObject(schema) || !isJsonObject(properties)) return schema;
  const { [NAME]: _own, ...others } = properties;
  return { ...schema, properties: others };
}
