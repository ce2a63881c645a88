import type { Path } from '../../plan/expression';
import { field, isJsonObject, type Json, type JsonObject } from '../../plan/json';

/**
 * What a JSON Schema says of the value at a path. Only what it says for certain counts: `open` where the value may be
 * anything, `absent` where the schema lists its fields and has none of that name.
 */
export type AtPath = { kind: 'schema'; schema: JsonObject } | { kind: 'open' } | { kind: 'absent'; index: number; known: string[] };

const OPEN: AtPath = { kind: 'open' };

export function schemaAt(root: Json, path: Path): AtPath {
  let here: JsonObject[] = isJsonObject(root) ? expand([root], root) : [];
  for (const [index, key] of path.entries()) {
    if (here.length === 0) return OPEN;
    const below = here.map((schema) => child(schema, key));
    const found = below.flatMap((answer) => (isJsonObject(answer) ? [answer] : []));
    if (found.length === 0) {
      if (below.includes('open')) return OPEN;
      return { kind: 'absent', index, known: here.flatMap((schema) => Object.keys(propertiesOf(schema) ?? {})) };
    }
    here = expand(found, root);
  }
  const [only, another] = here;
  return only && !another ? { kind: 'schema', schema: only } : OPEN;
}

/** The values a schema allows, where it lists them. */
export function enumOf(schema: JsonObject): Json[] | undefined {
  const values = field(schema, 'enum');
  if (Array.isArray(values)) return values;
  const only = field(schema, 'const');
  return only === undefined ? undefined : [only];
}

/** Schemas with their local `$ref` followed, and the parts of its combinators beside it; each once, circles or not. */
function expand(schemas: readonly JsonObject[], root: Json): JsonObject[] {
  const seen = new Set<JsonObject>();
  const found: JsonObject[] = [];
  const queue = [...schemas].reverse();
  for (let here = queue.pop(); here !== undefined; here = queue.pop()) {
    if (seen.has(here)) continue;
    seen.add(here);
    const ref = field(here, '$ref');
    if (typeof ref === 'string') {
      const target = pointedAt(root, ref);
      if (target) queue.push(target);
      continue;
    }
    found.push(here);
    const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => field(here, key) ?? []);
    queue.push(...parts.filter(isJsonObject).reverse());
  }
  return found;
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
