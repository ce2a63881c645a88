import { copyField, setSpelled, WrittenNumber } from './json-text';

/**
 * What a spread makes of objects, without fields that are undefined: later ones win. A number goes on being written as it was (`json-text.ts`),
 * which a spread forgets; so does one that is on its way out of what it lay in.
 *
 * @typeParam T what the fields make together
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
