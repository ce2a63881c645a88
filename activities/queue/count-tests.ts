import type { TestFormat } from '../../plan/queue/queue-settings';
import { readReport } from '../test-reports/read-report';

/**
 * How many tests ran, from the command's output; skipped ones do not count. Undefined if there is nothing of that format: a report
 * (`test-reports/read-report.ts`), or with `line` a line such as `tests: 120`, of which the last counts.
 */
export function countTests(format: TestFormat, stdout: string): number | undefined {
  if (format === 'line') return lastNumber(stdout);
  const read = readReport(format, stdout);
  return 'tally' in read ? read.tally.passed + read.tally.failed : undefined;
}

function lastNumber(stdout: string): number | undefined {
  const found = [...stdout.matchAll(/^[ \t]*tests:[ \t]*(\d+)\b/gim)].at(-1);
  return found ? Number(found[1]) : undefined;
}
