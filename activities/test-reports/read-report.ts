import type { ReportFormat } from '../../plan/run/test-report';
import { unreachable } from '../../plan/unreachable';
import { readJson } from './json';
import { readJunit } from './junit';
import type { ReadReport } from './tally';
import { readTap } from './tap';

/** `tap`: TAP 13 and 14 · `junit`: JUnit's XML · `json`: see `json.ts`. */
export function readReport(format: ReportFormat, text: string): ReadReport {
  switch (format) {
    case 'tap':
      return readTap(text);
    case 'junit':
      return readJunit(text);
    case 'json':
      return readJson(text);
    default:
      return unreachable(format);
  }
}
