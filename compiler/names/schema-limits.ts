import { isJsonObject, type Json } from '../../plan/text/json';

/** Says that a schema is so deep that walking it would exhaust the stack, although JSON Schema allows it. Walks without recursion. */
export function beyondLimits(schema: Json): string | undefined {
  const queue: { value: Json; depth: number }[] = [{ value: schema, depth: 0 }];
  for (let here = queue.pop(); here; here = queue.pop()) {
    const { value, depth } = here;
    if (depth > DEPTH_LIMIT) return `it is nested more than ${DEPTH_LIMIT} deep`;
    const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    for (const item of inner) queue.push({ value: item, depth: depth + 1 });
  }
  return undefined;
}

const DEPTH_LIMIT = 100;
