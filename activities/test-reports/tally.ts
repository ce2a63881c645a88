import {
  FAILURE_MESSAGE_CHARACTERS,
  FAILURE_NAME_CHARACTERS,
  type FailedTest,
  MOST_FAILURES,
  type TestReport,
} from '../../plan/run/test-report';

/** Results as a reader of one format meets them. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  failures: FailedTest[];
}

/**
 * What a program says of its tests. Invariants: 1. a text that breaks off, or contradicts itself, never reads as better than it is; 2. reading
 * takes time in proportion to the text, whatever is in it.
 */
export type ReadReport =
  | { tally: Tally /** The results break off: the program that wrote them did not come to its end. */; broken?: true }
  | { problem: string };

export function newTally(): Tally {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

/** Counts a failed test, and keeps what it says of itself while there is room. */
export function addFailed(tally: Tally, name: string, message = ''): void {
  tally.failed += 1;
  noteFailure(tally, name, message);
}

/** The same for one that is in the counts already. */
export function noteFailure({ failures }: Tally, name: string, message = ''): void {
  if (failures.length === MOST_FAILURES) return;
  const said = message.trim();
  failures.push({ name: name.trim() || 'a test without a name', ...(said === '' ? {} : { message: said }) });
}

/** With texts cut to what a report holds. @param mask before that: half a secret is none to who masks later */
export function reportOf({ passed, failed, skipped, failures: named }: Tally, mask: (text: string) => string): TestReport {
  const ran = passed + failed;
  const failures = named.map(({ name, message }) => ({
    name: mask(name).slice(0, FAILURE_NAME_CHARACTERS),
    ...(message === undefined ? {} : { message: mask(message).slice(0, FAILURE_MESSAGE_CHARACTERS) }),
  }));
  return { passed, failed, skipped, pass_rate: ran === 0 ? 0 : passed / ran, failures };
}
