import type { CalledEnd } from '../patterns/called';
import type { UnroutedMessage } from '../patterns/unrouted';
import type { Letter } from '../people/letter';
import type { ControlStep } from './control';

/** What others ask of what a kind keeps of its round (`Kept`, plain JSON, in which all may be absent). `View` is what people see of it. */
export interface Keeps<Kept, View = never> {
  /** `isAtWork`: the step is. */
  shown?(kept: Kept, step: ControlStep, isAtWork: boolean): View | undefined;
  /** The last turn of its parts that has begun. Absent: nobody counts them, or none has. */
  lastTurn?(kept: Kept): number | undefined;
  /** The part that alone had a turn which has begun, by its name in the step. Absent: turns are not one part's. */
  partInTurn?(kept: Kept, turn: number): string | undefined;
  /** As it was before a turn of its parts. */
  before?(kept: Kept, turn: number): Kept;
  /** A rerun that begins with it does all of its work. */
  beginsAnew?(kept: Kept): boolean;
  /** How it has ended, for the step whose action has called it. */
  end?(kept: Kept): CalledEnd | undefined;
  /** It has not come to its end, and what it has got so far is as good as before. */
  isUnfinished?(kept: Kept): boolean;
  /** Commits that it has kept in worktrees. */
  commits?(kept: Kept): KeptCommit[];
  /** What was written to people, oldest first. */
  letters?(kept: Kept): Letter[];
  /** How the vote of those whom it asks is going. */
  vote?(kept: Kept): AskedVote | undefined;
  /** An agent at work within it says what no step handles. */
  hear?(kept: Kept, message: UnroutedMessage): void;
}

/** `isDecisive`: whatever steps have left in that worktree, this is what counts. */
export interface KeptCommit {
  slot: string;
  commit: string;
  isDecisive?: true;
}

export interface AskedVote {
  /** The last turn of its parts. */
  turn?: number;
  round: number;
  rounds: number;
  isOver: boolean;
  voters: string[];
  /** Who has voted how. */
  votes: string;
}
