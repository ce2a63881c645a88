/**
 * JSON with sorted keys and no blanks: the same value is the same bytes, so that its digest names it. Keys sort by UTF-16
 * unit, as `Array.prototype.sort` does everywhere. A key whose value is undefined is left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, held]) => held !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${canonicalJson(held)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
