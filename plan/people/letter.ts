/** What somebody who works in a run has written to a person, as long as no person has answered it. */
export interface Letter {
  from: string;
  to: string;
  /** At most 200 characters. */
  content: string;
  /** There is more than `content`. */
  isCut?: true;
  /** ISO 8601. */
  at: string;
}
