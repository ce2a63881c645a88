import { type KindsWith, traitsOf } from '../../../kinds/traits';
import type { AdviceView } from '../../../plan/patterns/advice-view';
import { backToTurn, type Delivery } from '../../../plan/patterns/delivery';
import type { EscalationView } from '../../../plan/patterns/escalation-view';
import type { ReviewFindings } from '../../../plan/patterns/review-findings';
import type { SwarmView } from '../../../plan/patterns/swarm-view';
import type { Unrouted } from '../../../plan/patterns/unrouted';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { ChainEnd, ChainFailure } from '../../../plan/steps/container-activities';
import type { StepKind } from '../../../plan/steps/step';
import type { VerdictRecord } from '../../../plan/steps/verdict';
import type { Reservation } from '../budget/account-record';
import type { TeamState } from '../caid/team-state';
import type { ChildRecord, LoopRecord, RoundsRecord } from '../containers/container-record';
import type { ConsultPosition } from '../patterns/advice-state';
import type { EscalationEnd, EscalationPosition } from '../patterns/escalation-state';
import type { SwarmEnd, SwarmPosition } from '../patterns/swarm-state';
import type { TracksKept, TracksState } from '../patterns/tracks-state';
import type { VotePosition, VoteState } from '../patterns/vote-state';

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
  merge: MergeKept;
  caid: CaidKept;
  consensus: ConsensusKept;
  tracks: TracksKept;
  escalate: EscalateKept;
  consult: ConsultKept;
  swarm: SwarmKept;
  increments: IncrementsKept;
  coordinate: CoordinateKept;
}

type KeepingKind = keyof KeptByKind & StepKind;
type KeptOf<K extends KeepingKind> = { kind: K } & KeptByKind[K];
export type KindState = { [K in KeepingKind]: KeptOf<K> }[KeepingKind];

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
  findings?: ReviewFindings;
  /** What the second reviewer says. */
  critic?: { verdict: VerdictRecord; artifact?: ArtifactRef };
}

interface ChainedKept {
  /** What a chain has brought for the step, until it is its turn. */
  fetched?: ChainResult;
}

/** `alone`: nothing, and no chain is to try it again. */
export type ChainResult = ChainEnd | { failure: ChainFailure } | { alone: true };

interface ParallelKept {
  /** Branches that gave no result. */
  missing?: string[];
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
  hold?: Reservation;
}

interface MergeKept {
  /** Candidates that have landed, as they were heard of: in whatever round, none is offered again. */
  landed?: { step: string; slot: string; commit: string; result: string; already?: true }[];
  /** Those that came back. */
  returned?: { step: string; kind: string; reason: string }[];
}

interface CaidKept {
  team?: TeamState;
}

interface ConsensusKept {
  /** The last turn that was begun. */
  turn?: number;
  /** The round of the step in which turns began to count. */
  began?: number;
  /** The round in progress: a further try continues there. */
  next?: VotePosition;
  /** How the last vote stands. */
  vote?: VoteState;
}

interface EscalateKept {
  /** The last turn that was begun. */
  turn?: number;
  /** The attempt in progress: a further try continues there. */
  next?: EscalationPosition;
  view?: EscalationView;
  /** What it has come to, for who called it. */
  end?: EscalationEnd;
}

interface ConsultKept {
  /** The last turn that was begun. */
  turn?: number;
  /** The question in progress: a further try continues there. */
  next?: ConsultPosition;
  view?: AdviceView;
}

interface SwarmKept {
  /** The last turn that was begun. */
  turn?: number;
  /** The round or fix in progress: a further try continues there. */
  next?: SwarmPosition;
  view?: SwarmView;
  /** What it has come to, for who called it. */
  end?: SwarmEnd;
}

interface IncrementsKept {
  /** The last turn that was begun. */
  turn?: number;
  /** Its worktree. */
  slot?: string;
  /** The plan that is delivered, by digest. */
  plan?: string;
  delivery?: Delivery;
  /** The step has come to its end with it: what runs again then begins with what was lost. */
  isOver?: true;
}

interface CoordinateKept {
  unrouted?: Unrouted;
}

type Keeping = { kept?: KindState };

/** What a step of a kind has kept; undefined where it is of another, or has kept nothing. */
export function kindStateOf<K extends KeepingKind>({ kept }: Keeping, kind: K): KeptOf<K> | undefined {
  return kept && isOf(kept, kind) ? kept : undefined;
}

/** The same, to write into. */
export function openKindState<K extends KeepingKind>(record: Keeping, kind: K): KeptOf<K> {
  const known = kindStateOf(record, kind);
  if (known) return known;
  // All that a kind keeps may be absent.
  const fresh = { kind } as KeptOf<K> & KindState;
  record.kept = fresh;
  return fresh;
}

function isOf<K extends KeepingKind>(kept: KindState, kind: K): kept is Extract<KindState, { kind: K }> & KeptOf<K> {
  return kept.kind === kind;
}

/** What an agent's step has kept, a review included. */
export function agentStateOf(record: Keeping): AgentKept | undefined {
  return kindStateOf(record, 'agent') ?? kindStateOf(record, 'review');
}

export function verdictInState(record: Keeping | undefined): VerdictRecord | undefined {
  return record && kindStateOf(record, 'review')?.verdict;
}

export function loopStateOf(record: Keeping | undefined): LoopRecord | undefined {
  return record && kindStateOf(record, 'for_each')?.loop;
}

export function roundsOf(record: Keeping | undefined): RoundsRecord | undefined {
  const { kept } = record ?? {};
  return kept && 'rounds' in kept ? kept.rounds : undefined;
}

export function childStateOf(record: Keeping | undefined): ChildRecord | undefined {
  return record && kindStateOf(record, 'pipeline')?.child;
}

export function teamStateOf(record: Keeping | undefined): TeamState | undefined {
  return record && kindStateOf(record, 'caid')?.team;
}

export function voteStateOf(record: Keeping | undefined): VoteState | undefined {
  return record && kindStateOf(record, 'consensus')?.vote;
}

export function tracksStateOf(record: Keeping | undefined): TracksState | undefined {
  return record && kindStateOf(record, 'tracks')?.tracks;
}

export function escalationViewOf(record: Keeping | undefined): EscalationView | undefined {
  return record && kindStateOf(record, 'escalate')?.view;
}

export function adviceViewOf(record: Keeping | undefined): AdviceView | undefined {
  return record && kindStateOf(record, 'consult')?.view;
}

export function swarmViewOf(record: Keeping | undefined): SwarmView | undefined {
  return record && kindStateOf(record, 'swarm')?.view;
}

/** What a step that an action has called has come to; undefined where it is of no kind that is called, or has not come to anything. */
export function calledEndOf(record: Keeping): EscalationEnd | SwarmEnd | undefined {
  return kindStateOf(record, 'escalate')?.end ?? kindStateOf(record, 'swarm')?.end;
}

export function deliveryOf(record: Keeping | undefined): Delivery | undefined {
  return record && kindStateOf(record, 'increments')?.delivery;
}

/** Messages in a coordinate step that nothing handles. */
export function unroutedOf(record: Keeping | undefined): Unrouted {
  return (record && kindStateOf(record, 'coordinate')?.unrouted) ?? { count: 0, messages: [] };
}

/** The commit that a delivery has kept, and the worktree that has it. */
export function keptCommitOf(record: Keeping): { slot: string; commit: string } | undefined {
  const { slot, delivery } = kindStateOf(record, 'increments') ?? {};
  return slot === undefined || !delivery ? undefined : { slot, commit: delivery.at };
}

export function chainResultFor(record: Keeping | undefined): ChainResult | undefined {
  const { kept } = record ?? {};
  return kept && 'fetched' in kept ? kept.fetched : undefined;
}

/** What a step keeps, as it was before a turn of its parts: as far as its kind knows that. */
export function kindStateBefore(turn: number, record: Keeping): KindState | undefined {
  const known = kindStateOf(record, 'increments');
  if (!known?.delivery) return record.kept;
  const before = structuredCopy(known);
  if (before.delivery) backToTurn(before.delivery, turn);
  delete before.isOver;
  return before;
}

/** Plain JSON. */
function structuredCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** What is left of it for the next try, after the round, in the next one, or in a rerun. */
export function kindStateAfter(end: 'try' | 'round' | 'next' | 'run', { kept }: Keeping): KindState | undefined {
  return kept && traitsOf(kept.kind).keeps?.[end] ? kept : undefined;
}
