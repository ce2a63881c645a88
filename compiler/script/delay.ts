import type { Report } from '../diagnostics/diagnostic';
import type { Entry } from '../read/node';
import { durationOf } from '../shape/values';

/** Reads a duration that may also be zero: `0s`. */
export function readDelay(entry: Entry, report: Report): number | undefined {
  if (entry.value.kind === 'scalar' && /^0\s*(?:ms|s|m|h|d)?$/.test(entry.value.text)) return 0;
  return durationOf(entry, report);
}
