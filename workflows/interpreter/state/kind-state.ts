import { asksAgent, chains, goesInRounds, goesOverItems, joinsBranches, judges, runsChild } from '../../../kinds/questions';
import { traitsOf } from '../../../kinds/traits';
import type { CalledEnd } from '../../../plan/patterns/called';
import type { AskedVote, KeptCommit } from '../../../plan/steps/keeps';
import type { StepKind } from '../../../plan/steps/step';
import type { VerdictRecord } from '../../../plan/steps/verdict';
import type { ChildRecord, LoopRecord, RoundsRecord } from '../containers/container-record';
import {
  type AgentKept,
  type ChainResult,
  type ChildKept,
  type JudgeKept,
  KEEPS,
  type KeepingKind,
  type KeptOf,
  type KindState,
} from './kept-by-kind';

/** Reads and writes what a kind of step keeps of its round. */
type WithKept = { kept?: KindState };

/** What a step of a kind has kept; undefined if it is of another, or has kept nothing. */
export function kindStateOf<K extends KeepingKind>({ kept }: WithKept, kind: K): KeptOf<K> | undefined {
  return kept && isOf(kept, kind) ? kept : undefined;
}

/** What a step of a kind keeps, to write into; begun if there is none. */
export function openKindState<K extends KeepingKind>(record: WithKept, kind: K): KeptOf<K> {
  const known = kindStateOf(record, kind);
  if (known) return known;
  // All kept fields of a kind may be absent.
  const fresh = { kind } as KeptOf<K> & KindState;
  record.kept = fresh;
  return fresh;
}

function isOf<K extends KeepingKind>(kept: KindState, kind: K): kept is Extract<KindState, { kind: K }> & KeptOf<K> {
  return kept.kind === kind;
}

/** What an agent's step has kept, a review included. */
export function agentStateOf({ kept }: WithKept): AgentKept | undefined {
  return kept && asksAgent(kept) ? kept : undefined;
}

/** What a step that judges has kept. */
export function judgeStateOf(record: WithKept | undefined): JudgeKept | undefined {
  const { kept } = record ?? {};
  return kept && judges(kept) ? kept : undefined;
}

export function verdictInState(record: WithKept | undefined): VerdictRecord | undefined {
  return judgeStateOf(record)?.verdict;
}

export function loopStateOf(record: WithKept | undefined): LoopRecord | undefined {
  const { kept } = record ?? {};
  return kept && goesOverItems(kept) ? kept.loop : undefined;
}

export function roundsOf(record: WithKept | undefined): RoundsRecord | undefined {
  const { kept } = record ?? {};
  return kept && goesInRounds(kept) ? kept.rounds : undefined;
}

/** What a step keeps of the run within it. */
export function childKeptOf(record: WithKept | undefined): ChildKept | undefined {
  const { kept } = record ?? {};
  return kept && runsChild(kept) ? kept : undefined;
}

export function childStateOf(record: WithKept | undefined): ChildRecord | undefined {
  return childKeptOf(record)?.child;
}

/** Branches that gave no result. */
export function missingIn(record: WithKept | undefined): string[] | undefined {
  const { kept } = record ?? {};
  return kept && joinsBranches(kept) ? kept.missing : undefined;
}

export function chainResultFor(record: WithKept | undefined): ChainResult | undefined {
  const { kept } = record ?? {};
  return kept && chains(kept) ? kept.fetched : undefined;
}

/** How a step that an action called has ended; undefined if its kind is never called, or it has no result. */
export function calledEndOf({ kept }: WithKept): CalledEnd | undefined {
  return kept && KEEPS[kept.kind]?.end?.(kept);
}

/** The last turn of its parts that has begun, if its kind counts them. */
export function lastTurnOf({ kept }: WithKept): number | undefined {
  return kept && KEEPS[kept.kind]?.lastTurn?.(kept);
}

/** The part that alone had a turn which has begun; undefined if its kind does not give turns to one part each. */
export function partInTurn({ kept }: WithKept, turn: number): string | undefined {
  return kept && KEEPS[kept.kind]?.partInTurn?.(kept, turn);
}

/** Whether what the kind keeps can be as it was before a turn of its parts. */
export function goesBack(kind: StepKind): boolean {
  return KEEPS[kind]?.before !== undefined;
}

/** Whether a rerun that begins with it does all of the step's work. */
export function beginsAnew(kept: KindState | undefined): boolean {
  return kept === undefined || KEEPS[kept.kind]?.beginsAnew?.(kept) === true;
}

/** Whether a step has not come to its end, and what it has got so far is as good as before. */
export function isUnfinished({ kept }: WithKept): boolean {
  return kept !== undefined && KEEPS[kept.kind]?.isUnfinished?.(kept) === true;
}

/** Commits that a step has kept in worktrees. */
export function keptCommitsOf({ kept }: WithKept): KeptCommit[] {
  return (kept && KEEPS[kept.kind]?.commits?.(kept)) ?? [];
}

/** How the vote of those whom a step asks is going. */
export function askedVoteOf(record: WithKept | undefined): AskedVote | undefined {
  const { kept } = record ?? {};
  return kept && KEEPS[kept.kind]?.vote?.(kept);
}

/** What a step keeps, as it was before a turn of its parts: as far as its kind knows that. */
export function kindStateBefore(turn: number, { kept }: WithKept): KindState | undefined {
  const before = kept && KEEPS[kept.kind]?.before?.(kept, turn);
  // It is of the same kind.
  return before ? (before as KindState) : kept;
}

/** What is left of it for the next try, after the round, in the next one, or in a rerun. */
export function kindStateAfter(end: 'try' | 'round' | 'next' | 'run', { kept }: WithKept): KindState | undefined {
  return kept && traitsOf(kept.kind).keeps?.[end] ? kept : undefined;
}
