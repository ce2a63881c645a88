import { isJsonObject, type JsonObject } from '../../plan/text/json';

/**
 * JSON with sorted keys and no blanks: the same value is the same bytes, so that its digest names it. Keys sort by UTF-16
 * unit, as `Array.prototype.sort` does everywhere. A key whose value is undefined is left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (isJsonObject(value)) return objectText(value);
  return JSON.stringify(value) ?? 'null';
}

function objectText(value: JsonObject): string {
  const fields: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const held = value[key];
    if (held !== undefined) fields.push(`${JSON.stringify(key)}:${canonicalJson(held)}`);
  }
  return `{${fields.join(',')}}`;
}
