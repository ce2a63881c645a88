import { type KindsWith, traitsOf } from '../../../kinds/traits';
import type { ArtifactRef } from '../../../plan/artifact';
import type { ChainEnd, ChainFailure } from '../../../plan/container-work';
import type { StepKind } from '../../../plan/step';
import type { VerdictRecord } from '../../../plan/verdict';
import type { Hold } from '../agents/agent-keeps';
import type { ChildRecord, LoopRecord, RoundsRecord } from '../containers/container-record';

/** What a kind of step keeps of its round beside what every step does. Kinds that are not named keep nothing. */
type KeptByKind = KeptByName & Record<KindInRounds, RoundsKept>;
export type KindInRounds = KindsWith<{ iterates: 'rounds' }>;

interface KeptByName {
  agent: AgentKept;
  review: ReviewKept;
  command: ChainedKept;
  notify: ChainedKept;
  stages: ChainedKept;
  parallel: ParallelKept;
  for_each: LoopKept;
  pipeline: PipelineKept;
}

type KeepingKind = keyof KeptByKind & StepKind;
type KeptOf<K extends KeepingKind> = { kind: K } & KeptByKind[K];
export type Kept = { [K in KeepingKind]: KeptOf<K> }[KeepingKind];

interface AgentKept {
  adapter?: string;
  /** The owner's context as its current try was given it. */
  context?: ArtifactRef[];
  /** The same with what was said in it, once it is done. */
  leftContext?: ArtifactRef;
  /** What of earlier steps is within it, by digest. */
  contextWithin?: string[];
}

interface ReviewKept extends AgentKept {
  verdict?: VerdictRecord;
  /** What the second reviewer says. */
  critic?: { verdict: VerdictRecord; artifact?: ArtifactRef };
}

interface ChainedKept {
  /** What a chain has brought for the step, until it is its turn. */
  fetched?: Fetched;
}

/** `alone`: nothing, and no chain is to try it again. */
export type Fetched = ChainEnd | { failure: ChainFailure } | { alone: true };

interface ParallelKept {
  /** Branches that gave no result. */
  missing?: string[];
  /** That its time ran out before all had ended. */
  timedOut?: true;
}

interface LoopKept {
  loop?: LoopRecord;
}

interface RoundsKept {
  rounds?: RoundsRecord;
}

interface PipelineKept {
  child?: ChildRecord;
  /** What is reserved of budgets for its child. */
  hold?: Hold;
}

type Keeping = { kept?: Kept };

/** What a step of a kind has kept; undefined where it is of another, or has kept nothing. */
export function keptOf<K extends KeepingKind>({ kept }: Keeping, kind: K): KeptOf<K> | undefined {
  return kept && isOf(kept, kind) ? kept : undefined;
}

/** The same, to write into. */
export function keep<K extends KeepingKind>(record: Keeping, kind: K): KeptOf<K> {
  const known = keptOf(record, kind);
  if (known) return known;
  // All that a kind keeps may be absent.
  const fresh = { kind } as KeptOf<K> & Kept;
  record.kept = fresh;
  return fresh;
}

function isOf<K extends KeepingKind>(kept: Kept, kind: K): kept is Extract<Kept, { kind: K }> & KeptOf<K> {
  return kept.kind === kind;
}

/** What an agent's step has kept, a review included. */
export function agentKept(record: Keeping): AgentKept | undefined {
  return keptOf(record, 'agent') ?? keptOf(record, 'review');
}

export function verdictOf(record: Keeping | undefined): VerdictRecord | undefined {
  return record && keptOf(record, 'review')?.verdict;
}

export function loopOf(record: Keeping | undefined): LoopRecord | undefined {
  return record && keptOf(record, 'for_each')?.loop;
}

export function roundsOf(record: Keeping | undefined): RoundsRecord | undefined {
  const { kept } = record ?? {};
  return kept && 'rounds' in kept ? kept.rounds : undefined;
}

export function childOf(record: Keeping | undefined): ChildRecord | undefined {
  return record && keptOf(record, 'pipeline')?.child;
}

export function fetchedFor(record: Keeping | undefined): Fetched | undefined {
  const { kept } = record ?? {};
  return kept && 'fetched' in kept ? kept.fetched : undefined;
}

/** What is left of it for the next try, after the round, or in a rerun. */
export function keptAfter(end: 'try' | 'round' | 'run', { kept }: Keeping): Kept | undefined {
  return kept && traitsOf(kept.kind).keeps?.[end] ? kept : undefined;
}
