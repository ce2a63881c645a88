import type { Json } from '../text/json';

/** The result of the last top-level step that ran; missing parts are absent. A step that failed or was skipped did not run. */
export interface LastResult {
  /** Its output; for a command only if its text is JSON. */
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
