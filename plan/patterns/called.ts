/** What passes between a step and the one that its action calls. */

/** The document with the issue. */
export const ISSUE_DOCUMENT = 'issue';

/** How the called step has ended. Without an outcome it is of no use to its caller. */
export interface CalledEnd {
  outcome?: 'solved' | 'workaround' | 'root_cause' | 'unsolved';
  by?: string;
  solution?: string;
  rootCause?: string;
}
