import type { Returned } from '../rules/assignment';

/** What happens to a team, and what its machine decides. */

export type TeamEvent =
  | { kind: 'started' }
  /** An engineer has ended an attempt with a candidate. The slot is free: what follows is the engine's work. */
  | { kind: 'submitted'; task: string }
  /** `isGreen`: the target is green by the test of the end with it. `isBelieved`: its engineer says that it has tested it. */
  | { kind: 'merged'; task: string; result: string; order?: number; isGreen?: true; isBelieved?: true }
  /** What an engineer has said of its tests is not true: the target is red by them. */
  | { kind: 'contradicted' }
  | { kind: 'returned'; task: string; returned: Returned }
  /** All is merged, and the tests of the whole are red: of these, which have landed, or, as a guess, of one of these. */
  | { kind: 'red'; tasks: string[]; returned: Returned; isGuess?: boolean }
  | { kind: 'decided'; task: string; choice: PersonsChoice }
  /** What fails is no engineer's work: nothing begins any more. */
  | { kind: 'broken'; task: string }
  /** The step is tried again: what was not merged begins anew. */
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
