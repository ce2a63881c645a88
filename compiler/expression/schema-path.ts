import type { Path } from '../../plan/expressions/expression';
import { field, isJsonObject, type Json, type JsonObject } from '../../plan/text/json';

/**
 * What a JSON Schema says of the value at a path. Only what it says for certain counts: `open` if the value may be anything, `absent` if
 * the schema lists its fields and has none of that name.
 */
export type AtPath = { kind: 'schema'; schema: JsonObject } | { kind: 'open' } | { kind: 'absent'; index: number; known: string[] };

const OPEN: AtPath = { kind: 'open' };

/** A schema that a value has to satisfy: always, or under a condition that is unknown until there is a value. */
interface Demand {
  schema: JsonObject;
  always: boolean;
}

export function schemaAt(root: Json, path: Path): AtPath {
  let here = isJsonObject(root) ? expand([{ schema: root, always: true }], root) : [];
  for (const [index, key] of path.entries()) {
    if (here.length === 0) return OPEN;
    const below = here.map(({ schema, always }) => ({ answer: child(schema, key), always }));
    const found = below.flatMap(({ answer, always }) => (isJsonObject(answer) ? [{ schema: answer, always }] : []));
    if (found.length === 0) {
      if (below.some(({ answer }) => answer === 'open')) return OPEN;
      return { kind: 'absent', index, known: here.flatMap(({ schema }) => Object.keys(propertiesOf(schema) ?? {})) };
    }
    here = expand(found, root);
  }
  const certain = here.filter(({ always }) => always);
  const [only, another] = certain.length > 0 ? certain : here;
  return only && !another ? { kind: 'schema', schema: only.schema } : OPEN;
}

/** The values a schema allows, if it lists them. */
export function enumOf(schema: JsonObject): Json[] | undefined {
  const values = field(schema, 'enum');
  if (Array.isArray(values)) return values;
  const only = field(schema, 'const');
  return only === undefined ? undefined : [only];
}

/** Schemas with their local `$ref` followed and the schemas they combine with (`allOf` and the like); each once, even in a circle. */
function expand(schemas: readonly Demand[], root: Json): Demand[] {
  const seen = new Set<JsonObject>();
  const found: Demand[] = [];
  const queue = [...schemas].reverse();
  for (let here = queue.pop(); here !== undefined; here = queue.pop()) {
    const { schema, always } = here;
    if (seen.has(schema)) continue;
    seen.add(schema);
    const ref = field(schema, '$ref');
    if (typeof ref === 'string') {
      const target = pointedAt(root, ref);
      if (target) queue.push({ schema: target, always });
      continue;
    }
    found.push(here);
    queue.push(...partsOf(schema, always).reverse());
  }
  return found.some(({ always }) => always) ? found.filter(({ schema, always }) => always || saysMore(schema)) : found;
}

/** The other schemas that a schema applies to the same value. */
function partsOf(schema: JsonObject, always: boolean): Demand[] {
  const under = (keys: readonly string[]) => keys.flatMap((key) => field(schema, key) ?? []).filter(isJsonObject);
  const conditional = [...under(CONDITIONAL), ...Object.values(dependentOn(schema)).filter(isJsonObject)];
  return [
    ...under(['allOf']).map((part) => ({ schema: part, always: always && (saysMore(part) || Object.hasOwn(part, '$ref')) })),
    ...conditional.map((part) => ({ schema: part, always: false })),
  ];
}

/**
 * A condition that only asks for fields, or for a type, names none: next to a schema that lists its fields it would leave everything open.
 */
function saysMore(schema: JsonObject): boolean {
  return SHAPING.some((key) => Object.hasOwn(schema, key));
}

const CONDITIONAL = ['anyOf', 'oneOf', 'then', 'else'];
const SHAPING = ['enum', 'const', 'properties', 'patternProperties', 'additionalProperties', 'items', 'prefixItems'];

function dependentOn(schema: JsonObject): JsonObject {
  const dependent = field(schema, 'dependentSchemas');
  return isJsonObject(dependent) ? dependent : {};
}

function pointedAt(root: Json, ref: string): JsonObject | undefined {
  if (!ref.startsWith('#')) return undefined;
  let here: Json | undefined = root;
  for (const part of ref.slice(1).split('/').slice(1)) here = field(here, part.replace(/~1/g, '/').replace(/~0/g, '~'));
  return isJsonObject(here) ? here : undefined;
}

function propertiesOf(schema: JsonObject): JsonObject | undefined {
  const properties = field(schema, 'properties');
  return isJsonObject(properties) ? properties : undefined;
}

function child(schema: JsonObject, key: string | number): JsonObject | 'open' | 'absent' {
  if (!mayBe(schema, typeof key === 'number' ? 'array' : 'object')) return 'absent';
  if (typeof key === 'number') {
    const tuple = field(schema, 'prefixItems') ?? field(schema, 'items');
    const item = Array.isArray(tuple) ? tuple[key] : field(schema, 'items');
    return isJsonObject(item) ? item : 'open';
  }
  const properties = propertiesOf(schema);
  const found = field(properties, key);
  if (found !== undefined) return isJsonObject(found) ? found : 'open';
  const others = field(schema, 'additionalProperties');
  if (isJsonObject(others)) return others;
  const listed = properties !== undefined || others === false;
  return listed && others !== true && field(schema, 'patternProperties') === undefined ? 'absent' : 'open';
}

function mayBe(schema: JsonObject, type: 'array' | 'object'): boolean {
  const said = field(schema, 'type');
  return said === undefined || said === type || (Array.isArray(said) && said.includes(type));
}
