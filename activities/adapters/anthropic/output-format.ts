import { defined, unlessEmpty } from '../../../plan/defined';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';

/**
 * The part of a schema to which the service can hold a model (structured outputs). Pure.
 *
 * Invariants: 1. every answer that satisfies the author's schema, except for fields that it does not name, is possible; 2. a field that the
 * model cannot know can be left out and listed in `missing_fields` (docs/protocol.md): none is forced; 3. a schema that the service
 * cannot express is not sent: undefined, and the reply is checked and repaired as usual. Limits of numbers and lengths are not expressible
 * and are left to that check.
 */
export function outputSchema(schema: Json): JsonObject | undefined {
  const shaped = attempt(schema, false) ?? attempt(schema, true);
  if (shaped?.['type'] !== 'object') return undefined;
  const properties = field(shaped, 'properties');
  const own: JsonObject = isJsonObject(properties) ? properties : {};
  if (Object.hasOwn(own, 'missing_fields')) return shaped;
  return { ...shaped, properties: { ...own, missing_fields: MISSING_FIELDS } };
}

const MISSING_FIELDS: Json = {
  type: 'array',
  items: { type: 'string' },
  description: 'Paths of required fields that cannot be known and are therefore omitted.',
};

/** The service's limit of optional fields, over the whole schema. */
export const MOST_OPTIONAL = 24;

interface Shaping {
  /** Fields of inner objects stay required, if there are too many to make all optional. */
  nestedRequired: boolean;
  optional: number;
}

class Inexpressible extends Error {}

function attempt(schema: Json, nestedRequired: boolean): JsonObject | undefined {
  const shaping: Shaping = { nestedRequired, optional: 0 };
  try {
    const shaped = shape(schema, shaping, true);
    return shaping.optional > MOST_OPTIONAL ? undefined : shaped;
  } catch (error) {
    if (error instanceof Inexpressible) return undefined;
    throw error;
  }
}

const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'];
const PRIMITIVES = ['string', 'integer', 'number', 'boolean', 'null'];

function shape(schema: Json, shaping: Shaping, isRoot = false): JsonObject {
  if (!isJsonObject(schema)) throw new Inexpressible();
  const get = (key: string) => field(schema, key);
  const named = { ...texts(schema), ...definitions(schema, shaping) };
  const ref = get('$ref');
  if (ref !== undefined) return { ...named, $ref: localRef(ref) };
  if (get('allOf') !== undefined) throw new Inexpressible();
  const values = get('const') === undefined ? get('enum') : [get('const') ?? null];
  if (values !== undefined) return { ...named, enum: primitives(values) };
  const options = get('anyOf') ?? get('oneOf');
  if (Array.isArray(options)) return { ...named, anyOf: options.map((option) => shape(option, shaping)) };
  const type = get('type') ?? (get('properties') === undefined ? undefined : 'object');
  if (Array.isArray(type)) return { ...named, anyOf: type.map((one) => shape({ ...schema, type: one }, shaping)) };
  if (type === 'object') return { ...named, ...objectShape(schema, shaping, isRoot) };
  if (type === 'array') return { ...named, ...arrayShape(schema, shaping) };
  if (typeof type !== 'string' || !PRIMITIVES.includes(type)) throw new Inexpressible();
  const format = get('format');
  return { ...named, type, ...(typeof format === 'string' && FORMATS.includes(format) ? { format } : {}) };
}

/** Objects without named fields cannot be expressed. */
function objectShape(schema: JsonObject, shaping: Shaping, isRoot: boolean): JsonObject {
  const given = field(schema, 'properties');
  if (!isJsonObject(given) || Object.keys(given).length === 0 || isJsonObject(field(schema, 'additionalProperties')))
    throw new Inexpressible();
  if (field(schema, 'patternProperties') !== undefined) throw new Inexpressible();
  if (conditionsOf(schema).some((part) => !staysWithin(part, schema))) throw new Inexpressible();
  const properties = Object.fromEntries(Object.entries(given).map(([name, one]) => [name, shape(one, shaping)]));
  const listed = field(schema, 'required');
  const required =
    !isRoot && shaping.nestedRequired && Array.isArray(listed)
      ? listed.filter((name) => typeof name === 'string' && name in properties)
      : [];
  shaping.optional += Object.keys(properties).length - required.length;
  return { type: 'object', properties, ...defined({ required: unlessEmpty(required) }), additionalProperties: false };
}

/** Schemas that an object has to satisfy only under a condition. */
function conditionsOf(schema: JsonObject): Json[] {
  const dependent = field(schema, 'dependentSchemas');
  const parts = [field(schema, 'then'), field(schema, 'else'), ...(isJsonObject(dependent) ? Object.values(dependent) : [])];
  return parts.filter((part) => part !== undefined);
}

/** Whether a condition only requires fields that the object itself names: others are impossible once the object is closed. */
function staysWithin(part: Json, object: Json): boolean {
  if (!isJsonObject(part)) return true;
  if (Object.hasOwn(part, '$ref')) return false;
  const [known, named, required] = [field(object, 'properties'), field(part, 'properties'), field(part, 'required')];
  const names = [...Object.keys(isJsonObject(named) ? named : {}), ...(Array.isArray(required) ? required : [])];
  if (!names.every((name) => isJsonObject(known) && Object.hasOwn(known, String(name)))) return false;
  const inner = Object.entries(isJsonObject(named) ? named : {}).map(([name, one]) => staysWithin(one, field(known, name) ?? null));
  const items = field(part, 'items');
  return [
    ...inner,
    items === undefined || staysWithin(items, field(object, 'items') ?? null),
    ...[...conditionsOf(part), ...combinedIn(part)].map((one) => staysWithin(one, object)),
  ].every(Boolean);
}

/** Schemas of which all, one or some have to be satisfied. */
function combinedIn(part: JsonObject): Json[] {
  return ['allOf', 'anyOf', 'oneOf'].flatMap((key) => field(part, key) ?? []);
}

function arrayShape(schema: JsonObject, shaping: Shaping): JsonObject {
  const items = field(schema, 'items');
  const least = field(schema, 'minItems');
  return { type: 'array', items: shape(items ?? null, shaping), ...(least === 0 || least === 1 ? { minItems: least } : {}) };
}

function texts(schema: JsonObject): JsonObject {
  const kept = ['title', 'description'].flatMap((key) => (typeof field(schema, key) === 'string' ? [[key, schema[key] ?? '']] : []));
  return Object.fromEntries(kept);
}

function definitions(schema: JsonObject, shaping: Shaping): JsonObject {
  const given = field(schema, '$defs') ?? field(schema, 'definitions');
  if (!isJsonObject(given)) return {};
  return { $defs: Object.fromEntries(Object.entries(given).map(([name, one]) => [name, shape(one, shaping)])) };
}

function localRef(ref: Json): string {
  const name = typeof ref === 'string' ? /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(ref)?.[1] : undefined;
  if (name === undefined) throw new Inexpressible();
  return `#/$defs/${name}`;
}

function primitives(values: Json): Json[] {
  if (!Array.isArray(values) || values.length === 0 || values.some((value) => typeof value === 'object' && value !== null)) {
    throw new Inexpressible();
  }
  return values;
}
