import type { Json } from '../../../plan/text/json';
import type { Difference } from '../difference';

/** One expectation that was not met. */
export interface Failing {
  /** The expectation: `steps.bull.state`. */
  what: string;
  expected: Json;
  /** Absent: there is no such value. */
  got?: Json;
  /** Where the two differ, if that tells more than the two values. */
  differences?: Difference[];
  /** What helps to understand it. */
  note?: string;
}
