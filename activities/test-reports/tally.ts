import { defined, unlessEmpty } from '../../plan/defined';
import {
  FAILURE_MESSAGE_CHARACTERS,
  FAILURE_NAME_CHARACTERS,
  type FailedTest,
  MOST_FAILURES,
  type TestReport,
} from '../../plan/run/test-report';
import { beginning } from '../../plan/text/shortened';

/** The results so far of a reader of one format. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  failures: FailedTest[];
}

/**
 * A program's report on its tests. Invariants: 1. a truncated or contradictory text never reads as better than it is; 2. reading takes time
 * proportional to the text, whatever it contains.
 */
export type ReadReport =
  | { tally: Tally /** The results break off: the program that wrote them did not finish. */; broken?: true }
  | { problem: string };

export function newTally(): Tally {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

/** Counts a failed test, and keeps its message while there is room. */
export function addFailed(tally: Tally, name: string, message = ''): void {
  tally.failed += 1;
  noteFailure(tally, name, message);
}

/** Keeps the message of a failed test that is counted already. */
export function noteFailure({ failures }: Tally, name: string, message = ''): void {
  if (failures.length === MOST_FAILURES) return;
  const said = message.trim();
  failures.push({ name: name.trim() || 'a test without a name', ...defined({ message: unlessEmpty(said) }) });
}

/** The report, with texts cut to its limits. @param mask applied before that: half a secret could not be masked later */
export function reportOf({ passed, failed, skipped, failures: named }: Tally, mask: (text: string) => string): TestReport {
  const ran = passed + failed;
  const failures = named.map(({ name, message }) => ({
    name: beginning(mask(name), FAILURE_NAME_CHARACTERS),
    ...(message === undefined ? {} : { message: beginning(mask(message), FAILURE_MESSAGE_CHARACTERS) }),
  }));
  return { passed, failed, skipped, pass_rate: ran === 0 ? 0 : passed / ran, failures };
}
