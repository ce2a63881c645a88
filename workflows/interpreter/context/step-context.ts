import type { MemberTurn } from '../../../plan/board/member-work';
import type { Usage } from '../../../plan/budgets/usage';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { ActivityName } from '../../../plan/run/contract';
import type { ThermidorFailure } from '../../../plan/run/failure';
import type { ControlStep } from '../../../plan/steps/control';
import type { StepOutput } from '../../../plan/steps/step-activity';
import type { VerdictRecord } from '../../../plan/steps/verdict';
import type { Json } from '../../../plan/text/json';
import type { ActivityArgument, ActivityOptions, ActivityResult } from '../../run-context';
import type { AgentCall } from '../agents/agent-call-spec';
import type { TakenDecision } from '../gates/gate-record';
import type { GateSpec } from '../gates/gate-spec';
import type { BriefRecord } from '../state/step-record';
import type { AgentCallState, EntryEnd, FailureRecord } from './attempt-log';

/**
 * The memory of a step's straight-line code: in a fresh execution the code runs again from its top and gets the results of its calls.
 * Nothing is done twice.
 *
 * Invariants: 1. one call at a time; in parallel only in `all`; 2. kinds and keys of the calls are those of the log, in its order; 3. a
 * call is in the log before it is waited for; 4. everything that can be decided in two ways is decided in a call, and remembered; 5.
 * moments are absolute;
 * 6. an effect and the mark that it is done are one synchronous step; 7. once the place, its round or the run has ended, every call rejects
 * with `Cancelled`, and while an execution closes none returns; 8. a failure is remembered like a value, and `Cancelled` is not one; 9. a
 * scope that has ended leaves one entry; 10. a new try has an empty log, and its calls new addresses.
 */
export interface StepContext {
  /** Calls an activity. `ledger`: its record's name in the ledger, if the step may be cancelled meanwhile. */
  call<N extends ActivityName>(
    key: string,
    name: N,
    input: () => ActivityArgument<N>,
    options: ActivityOptions & { ledger?: string },
  ): Promise<ActivityResult<N>>;
  /** Calls an activity; `outcome` runs at the moment in which the outcome is known. */
  callThen<N extends ActivityName, R>(
    key: string,
    name: N,
    input: () => ActivityArgument<N>,
    options: ActivityOptions,
    outcome: CallOutcome<ActivityResult<N>, R>,
  ): Promise<R>;
  /** A synchronous effect, or a decision. Its value is plain JSON. */
  once<T>(key: string, effect: () => T): T;
  /** Sleeps for so many milliseconds from the moment of the first call. */
  sleep(key: string, ms: number): Promise<void>;
  /**
   * Asks people a question. A step has one at a time: if several agents work in it, each asks when it has its turn (`gates/gate-queue.ts`).
   */
  gate(key: string, spec: GateSpec): Promise<TakenDecision>;
  /** Looks for something from outside each time that `sleeper` is woken; undefined if it does not come by `dueMs`. */
  awaited<T>(key: string, how: { sleeper: string; dueMs?: number }, look: () => T | undefined): Promise<T | undefined>;
  /** Runs work that itself knows how it continues in another execution, and is left out once it is through. */
  through<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Something that outlives the execution that begins it: `first` there, and `again` in each that follows. */
  begun(key: string, first: () => Promise<void>, again: () => Promise<void>): Promise<void>;
  agent(key: string, call: Omit<AgentCall, 'keeps'>, adopted?: AgentCallState): Promise<StepOutput>;
  /** Runs a step that the plan has beneath this one, in a turn of its own. Fails with the part's failure. */
  step(part: Part, call: PartCall): Promise<PartEnd>;
  all: All;
  loop: Loop;
  /** A failure as a value, to be handled or thrown on. It is no JSON: `once` remembers what the code makes of it. */
  attempt<T>(work: () => Promise<T>): Promise<{ value: T } | { failure: ThermidorFailure }>;
  /** The code has ended: fails with `step.program-changed` if the log has more. */
  close(): void;
}

/** What happens at the end of a call, in the same step as the mark that it has ended. */
export interface CallOutcome<T, R> {
  /** The remembered part of its result, and the result for the code. */
  done(result: T): R;
  failed(error: unknown): void;
}

/**
 * A step that the plan has beneath another, with an address of its own: `decide[1]/security` is the part `security` in turn 1 of `decide`.
 * It is tried, repaired, budgeted and journalled like a step of the file.
 */
export type Part = ControlStep;

type GivenToPart =
  | 'given'
  | 'onto'
  | 'findings'
  | 'ballot'
  | 'ceilings'
  | 'toolCalls'
  | 'requests'
  | 'member'
  | 'handOff'
  | 'choices'
  | 'worktree';

/** Answers for the run need not be passed on as `authority`: the run has them. */
export interface PartCall extends Pick<BriefRecord, GivenToPart | 'authority'> {
  /** Counts from 1. The same part runs once in a turn. */
  turn: number;
}

export interface PartEnd {
  state: 'done' | 'skipped';
  artifact?: ArtifactRef;
  values?: Record<string, Json>;
  verdict?: VerdictRecord;
  /** All that it has used, over its tries. */
  used?: Usage;
  /** For a member's turn: its conversation with this turn in it, and how the turn ended. */
  work?: MemberTurn;
}

/**
 * Turns one after the other; of finished ones only the last state is kept, so that sixty take no more room than one. `turn` counts from 1.
 * The code decides when it is done: a team may take turns for years. `MOST_TURNS` stops one that never waits.
 */
export type Loop = <S, R>(
  key: string,
  first: S,
  turn: (ctx: StepContext, state: S, turn: number) => Promise<{ next: S } | { done: R }>,
) => Promise<R>;

/** Parallel work, by name: parts, or code with a context of its own. */
export type Branches = Record<string, (PartCall & { part: Part }) | ((ctx: StepContext) => Promise<unknown>)>;

export interface AllOptions {
  /** Counted from the first call. Time runs while the run is paused and while branches wait for slots. */
  timeoutMs?: number;
  /** How many must succeed, or whether those that have ended suffice; the others are cancelled then. @default all must have ended */
  enough?: number | ((ended: Ended) => boolean);
  /** Called once, when the time runs out: returns how much longer to wait. It is an effect, as within `once`. */
  extend?: (ended: Ended) => number | undefined;
  /** Called in each execution, with the branches that had ended before it. */
  opened?: (ended: Ended) => void;
  /** An effect in the moment in which a branch ends, as within `once`. */
  ended?: (name: string, end: EntryEnd) => void;
}

/** The branches that have ended, by name. */
export type Ended = Readonly<Record<string, EntryEnd>>;

export interface AllEnd {
  /** The results of successful branches: for a part a `PartEnd`. */
  ended: Record<string, unknown>;
  failed: Record<string, FailureRecord>;
  /** Branches that were cancelled. */
  missing: string[];
  timedOut: boolean;
}

export type All = (key: string, branches: Branches, how?: AllOptions) => Promise<AllEnd>;
