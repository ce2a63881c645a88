import { copyField, setSpelled, WrittenNumber } from './spelled-json';

/**
 * Merges objects like a spread, but leaves out undefined fields: later ones win. A number keeps its spelling (`spelled-json.ts`), which a
 * spread forgets; so does one that was just taken out of its container.
 *
 * @typeParam T the type of the merged object
 */
export function joined<T extends object>(...parts: readonly object[]): T {
  const whole: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [key, value] of Object.entries(part) as [string, unknown][]) {
      if (value instanceof WrittenNumber) setSpelled(whole, key, value);
      else if (value !== undefined) copyField(part, key, whole);
    }
  }
  return whole as T;
}
