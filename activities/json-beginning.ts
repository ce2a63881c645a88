import { isJsonObject, type Json } from '../plan/text/json';

/** The beginning of a value. */
export interface JsonPreview {
  value: Json;
  /** JSON pointer to the first omitted part; absent if nothing is omitted. Only the values on that path are incomplete. */
  cutAt?: string;
}

/** The first `mostParts` parts of a value: each text, number, list, mapping and the like is one. */
export function jsonPreview(value: Json, mostParts: number): JsonPreview {
  let left = mostParts;
  let cutAt: string | undefined;
  const hasRoom = (pointer: string) => {
    if (left === 0) cutAt ??= pointer;
    return left > 0;
  };
  const copy = (part: Json, pointer: string): Json => {
    left -= 1;
    if (Array.isArray(part)) {
      const kept: Json[] = [];
      for (const [index, item] of part.entries()) {
        if (!hasRoom(`${pointer}/${index}`)) break;
        kept.push(copy(item, `${pointer}/${index}`));
      }
      return kept;
    }
    if (!isJsonObject(part)) return part;
    const kept: [string, Json][] = [];
    // This would create all entries before the first is examined.
    for (const key of Object.keys(part)) {
      const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!hasRoom(at)) break;
      kept.push([key, copy(part[key] ?? null, at)]);
    }
    return Object.fromEntries(kept);
  };
  const beginning = copy(value, '');
  return cutAt === undefined ? { value } : { value: beginning, cutAt };
}

/** How many parts a value has, counted as above. */
export function partsOf(value: Json): number {
  let parts = 0;
  const open: Json[] = [value];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    parts += 1;
    if (typeof here === 'object' && here !== null) for (const inner of Object.values(here)) open.push(inner);
  }
  return parts;
}
