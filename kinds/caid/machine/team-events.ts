import type { Returned } from '../rules/assignment';

/** Events of a team, and decisions of its machine. */

export type TeamEvent =
  | { kind: 'started' }
  /** An engineer has ended an attempt with a candidate. The slot is free: the engine does the rest. */
  | { kind: 'submitted'; task: string }
  /** `isGreen`: the target is green by the test of the end with it. `isBelieved`: its engineer says that it has tested it. */
  | { kind: 'merged'; task: string; result: string; order?: number; isGreen?: true; isBelieved?: true }
  /** An engineer's report of its tests is false: the target is red by them. */
  | { kind: 'contradicted' }
  | { kind: 'returned'; task: string; returned: Returned }
  /** Everything is merged, and the tests of the whole are red: because of these, which have landed, or, as a guess, of one of these. */
  | { kind: 'red'; tasks: string[]; returned: Returned; isGuess?: boolean }
  | { kind: 'decided'; task: string; choice: PersonsChoice }
  /** A failure that is no engineer's work: nothing begins any more. */
  | { kind: 'broken'; task: string }
  /** The step is tried again: unmerged work begins anew. */
  | { kind: 'again' };

/** `again`: the author has as many tries as before. */
const PERSONS_CHOICES = ['again', 'drop'] as const;
export type PersonsChoice = (typeof PERSONS_CHOICES)[number];

export type TeamDecision =
  | { kind: 'assign'; task: string; engineer: string; attempt: number; number: number }
  | { kind: 'ask'; task: string }
  /** These are done within `task` from now on. */
  | { kind: 'join'; task: string; held: string[] }
  | { kind: 'over' };
