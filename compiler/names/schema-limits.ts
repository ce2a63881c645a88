import { isJsonObject, type Json } from '../../plan/json';
import { runaway } from './pattern/runaway';

/**
 * What a schema may not be although JSON Schema allows it: so deep that walking it exhausts a stack, or with a regular
 * expression that can run for longer than anybody waits. In words where it is; walks without recursion.
 */
export function beyondLimits(schema: Json): string | undefined {
  let patternLength = 0;
  const queue: { value: Json; depth: number; data: boolean }[] = [{ value: schema, depth: 0, data: false }];
  for (let here = queue.pop(); here; here = queue.pop()) {
    const { value, depth, data } = here;
    if (depth > DEPTH_LIMIT) return `it is nested more than ${DEPTH_LIMIT} deep`;
    if (Array.isArray(value)) for (const item of value) queue.push({ value: item, depth: depth + 1, data });
    if (!isJsonObject(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      for (const pattern of data ? [] : patternsOf(key, inner)) {
        patternLength += pattern.length;
        if (patternLength > PATTERNS_LIMIT) return `its patterns have more than ${PATTERNS_LIMIT} characters in all`;
        const problem = runaway(pattern);
        if (problem !== undefined) return `the pattern ${JSON.stringify(pattern)} is refused: ${problem}`;
      }
      queue.push({ value: inner, depth: depth + 1, data: data || DATA.has(key) });
    }
  }
  return undefined;
}

const DEPTH_LIMIT = 100;
const PATTERNS_LIMIT = 20_000;
/** Keywords whose values are data and no schemas. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

function patternsOf(key: string, value: Json): string[] {
  if (key === 'patternProperties' && isJsonObject(value)) return Object.keys(value);
  return key === 'pattern' && typeof value === 'string' ? [value] : [];
}
