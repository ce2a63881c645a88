import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { percentDecoded } from '../../../plan/text/percent-decoded';

/**
 * A stranger's JSON Schema in a form that is safe to check with, and that services understand: references are expanded, unknown parts are
 * left out.
 *
 * Invariants: 1. the result is a tree of at most `MOST_NODES` schemas, `DEEPEST` deep, so that checking against it takes time proportional
 * to the value; 2. it has no regular expressions and no long lists of values: the description names them, and the server itself checks
 * them; 3. what it refuses, the schema refuses too.
 */
export function plainSchema(schema: Json, mostCharacters: number): PlainSchema {
  if (!isJsonObject(schema)) return { problem: 'its schema is not a mapping' };
  const dialect = field(schema, '$schema');
  const walk: Walk = { root: schema, nodes: 0, characters: 0, mostCharacters, refs: [] };
  try {
    const plain = written(schema, walk, 0);
    if (typeof dialect === 'string' && dialect.includes('2020-12')) plain['$schema'] = dialect;
    return { schema: plain };
  } catch (error) {
    if (error instanceof Unusable) return { problem: error.message };
    throw error;
  }
}

export type PlainSchema = { schema: JsonObject } | { problem: string };

interface Walk {
  root: JsonObject;
  nodes: number;
  characters: number;
  mostCharacters: number;
  /** The references that lead here from the root. */
  refs: string[];
}

class Unusable extends Error {}

const MOST_NODES = 2000;
const DEEPEST = 40;

const ONE = ['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then', 'unevaluatedProperties'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'dependentSchemas'];
const ANNOTATIONS = ['title', 'description', 'default', 'examples'];
const DATA = [
  ...['type', 'enum', 'const', 'required', 'dependentRequired', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minProperties', 'maxProperties', ...ANNOTATIONS],
];
/** Others are left out: a validator would only say on the console that it does not know them. */
const FORMATS = ['date', 'time', 'date-time', 'duration', 'uri', 'uri-reference', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const MOST_PATTERN = 200;
/** Whether they differ is found out by the square of how many they are. */
const MOST_CHOICES = 1000;

function written(node: JsonObject, walk: Walk, depth: number): JsonObject {
  walk.nodes += 1;
  if (walk.nodes > MOST_NODES) throw new Unusable(`its schema has more than ${MOST_NODES} parts with its references written out`);
  if (depth > DEEPEST) throw new Unusable(`its schema is nested more than ${DEEPEST} deep`);
  const plain: JsonObject = {};
  const patterned = Object.hasOwn(node, 'patternProperties');
  for (const [key, value] of Object.entries(node)) {
    // The patterns decide which properties are additional.
    if (patterned && (key === 'additionalProperties' || key === 'unevaluatedProperties')) continue;
    const put = keyword(key, value, walk, depth);
    if (put !== undefined) plain[key] = put;
  }
  const { pattern, enum: choices } = node;
  if (typeof pattern === 'string' && pattern.length <= MOST_PATTERN)
    plain['description'] = noted(plain['description'], `pattern: ${pattern}`);
  if (isLong(choices)) plain['description'] = noted(plain['description'], `one of ${choices.length} values`);
  return Object.hasOwn(node, '$ref') ? referring(plain, node['$ref'] ?? null, walk, depth) : plain;
}

function keyword(key: string, value: Json, walk: Walk, depth: number): Json | undefined {
  if (ONE.includes(key)) return Array.isArray(value) ? value.map((one) => part(one, walk, depth)) : part(value, walk, depth);
  if (LISTS.includes(key) && Array.isArray(value)) return value.map((one) => part(one, walk, depth));
  if (MAPS.includes(key) && isJsonObject(value)) return eachOf(value, (one) => part(one, walk, depth));
  if (key === 'format') return typeof value === 'string' && FORMATS.includes(value) ? value : undefined;
  if (!DATA.includes(key) || (key === 'enum' && isLong(value))) return undefined;
  walk.characters += JSON.stringify(value).length;
  if (walk.characters > walk.mostCharacters) throw new Unusable(`its schema has more than ${walk.mostCharacters} characters`);
  return value;
}

/** A schema within another; `true` and `false` are schemas too. Anything else is left for the validator to refuse. */
function part(value: Json, walk: Walk, depth: number): Json {
  return isJsonObject(value) ? written(value, walk, depth + 1) : value;
}

function eachOf(map: JsonObject, make: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, make(value)]));
}

/** Keywords next to a reference apply too. A reference that leads back into itself matches anything. */
function referring(beside: JsonObject, ref: Json, walk: Walk, depth: number): JsonObject {
  if (typeof ref !== 'string') throw new Unusable('its schema has a "$ref" that is not a text');
  if (walk.refs.includes(ref)) return { description: `the same form again (${ref})`, ...onlyAnnotations(beside) };
  const target = resolve(walk.root, ref);
  if (target === undefined) throw new Unusable(`its schema refers to ${JSON.stringify(ref.slice(0, MOST_PATTERN))}, which is not in it`);
  if (!isJsonObject(target)) return target === false ? { not: {} } : beside;
  walk.refs.push(ref);
  const meant = written(target, walk, depth + 1);
  walk.refs.pop();
  const annotations = onlyAnnotations(beside);
  if (Object.keys(annotations).length === Object.keys(beside).length) return { ...meant, ...annotations };
  const all = Array.isArray(beside['allOf']) ? beside['allOf'] : [];
  return { ...beside, allOf: [...all, meant] };
}

function onlyAnnotations(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => ANNOTATIONS.includes(key)));
}

/** Resolves a JSON pointer within the schema. */
function resolve(root: JsonObject, ref: string): Json | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let here: Json | undefined = root;
  for (const raw of ref.slice(2).split('/')) {
    const key = (percentDecoded(raw) ?? raw).replaceAll('~1', '/').replaceAll('~0', '~');
    here = Array.isArray(here) ? here[Number(key)] : field(here, key);
  }
  return here;
}

function isLong(choices: Json | undefined): choices is Json[] {
  return Array.isArray(choices) && choices.length > MOST_CHOICES;
}

/** Adds to the description what cannot be checked here. */
function noted(description: Json | undefined, what: string): string {
  return typeof description === 'string' ? `${description} (${what})` : `(${what})`;
}
