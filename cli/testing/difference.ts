import { isJsonObject, type Json, sameJson } from '../../plan/text/json';

/** One place where a value is not what was expected. A missing value has no `expected` or no `got`. */
export interface Difference {
  /** The path within the value: `arguments[0].confidence`; empty for the whole. */
  path: string;
  expected?: Json;
  got?: Json;
}

export interface Comparison {
  /** Objects may have more keys than expected. Lists must still have the expected length. */
  subset?: boolean;
  /** Keys of the outermost object whose expected text need only be a part of the actual one. */
  partOf?: readonly string[];
}

/** Where two values differ, in the order of the expected one; empty if they do not. */
export function differences(expected: Json, got: Json | undefined, how: Comparison = {}): Difference[] {
  return [...compare(expected, got, '', how)];
}

function* compare(expected: Json, got: Json | undefined, path: string, how: Comparison): Generator<Difference> {
  if (got === undefined) yield { path, expected };
  else if (Array.isArray(expected) && Array.isArray(got)) yield* compareLists(expected, got, path, how);
  else if (isJsonObject(expected) && isJsonObject(got)) yield* compareObjects(expected, got, path, how);
  else if (!sameJson(expected, got)) yield { path, expected, got };
}

function* compareLists(expected: readonly Json[], got: readonly Json[], path: string, how: Comparison): Generator<Difference> {
  for (let i = 0; i < Math.max(expected.length, got.length); i++) {
    const [wanted, there] = [expected[i], got[i]];
    const at = `${path}[${i}]`;
    if (wanted !== undefined) yield* compare(wanted, there, at, { ...how, partOf: [] });
    else if (there !== undefined) yield { path: at, got: there };
  }
}

function* compareObjects(
  expected: Readonly<Record<string, Json>>,
  got: Readonly<Record<string, Json>>,
  path: string,
  how: Comparison,
): Generator<Difference> {
  const below = { ...how, partOf: [] };
  for (const [key, wanted] of Object.entries(expected)) {
    const there = Object.hasOwn(got, key) ? got[key] : undefined;
    const part = how.partOf?.includes(key) && typeof wanted === 'string' && typeof there === 'string' && there.includes(wanted);
    if (!part) yield* compare(wanted, there, joined(path, key), below);
  }
  if (how.subset) return;
  for (const [key, there] of Object.entries(got)) {
    if (!Object.hasOwn(expected, key)) yield { path: joined(path, key), got: there };
  }
}

function joined(path: string, key: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
