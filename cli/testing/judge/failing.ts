import type { Json } from '../../../plan/text/json';
import type { Difference } from '../difference';

/** One expectation that was not met. */
export interface Failing {
  /** Which: `steps.bull.state`. */
  what: string;
  expected: Json;
  /** Absent: there is nothing of the kind. */
  got?: Json;
  /** Where the two differ, if that says more than the two. */
  differences?: Difference[];
  /** What helps to understand it. */
  note?: string;
}
