import type { Json } from '../text/json';

/** What the last top-level step that ran left; what it does not have is absent. A step that failed or was skipped did not run. */
export interface LastResult {
  /** Its output: of a command only where its text is JSON. */
  json?: Json;
  response?: Json;
  stdout?: string;
}

/** The output of a Lobster run: a list, whatever the last step output. */
export function lobsterResult(last: LastResult | undefined): Json[] {
  const value = last?.json !== undefined ? last.json : last?.response;
  if (value !== undefined) return Array.isArray(value) ? value : [value];
  return last?.stdout ? [last.stdout] : [];
}
