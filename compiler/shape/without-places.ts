import type { Located } from '../diagnostics/diagnostic';
import type { MappingNode } from '../read/node';

/** What was read, as a plan has it: texts, and lists of them, without their places. Keys that take JSON are not among it. */
export function withoutPlaces<Source extends { node: MappingNode }>({ node: _, ...source }: Source): WithoutPlaces<Source> {
  const found = Object.entries(source).map(([key, value]) => [key, Array.isArray(value) ? value.map(withoutPlace) : withoutPlace(value)]);
  return Object.fromEntries(found) as WithoutPlaces<Source>;
}

type WithoutPlaces<Source> = { [Key in keyof Source as Exclude<Key, 'node'>]: ValueOf<Source[Key]> };
type ValueOf<Value> = Value extends Located<infer Of> ? Of : Value extends readonly Located<infer Item>[] ? Item[] : Value;

function withoutPlace(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'at' in value && 'value' in value ? value.value : value;
}
