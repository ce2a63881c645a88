import type { TeamState } from '../../../kinds/caid/state';
import type { VotePosition, VoteState } from '../../../kinds/consensus/state';
import type { ConsultPosition } from '../../../kinds/consult/state';
import type { AdviceView } from '../../../kinds/consult/view';
import type { EscalationEnd, EscalationPosition } from '../../../kinds/escalate/state';
import type { EscalationView } from '../../../kinds/escalate/view';
import type { Delivery } from '../../../kinds/increments/rules/delivery';
import type { SwarmEnd, SwarmPosition } from '../../../kinds/swarm/state';
import type { SwarmView } from '../../../kinds/swarm/view';
import type { TracksKept } from '../../../kinds/tracks/state';
import type { KindsWith } from '../../../kinds/traits';
import type { ReviewFindings } from '../../../plan/patterns/review-findings';
import type { Unrouted } from '../../../plan/patterns/unrouted';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { ChainEnd, ChainFailure, CommandsOutput } from '../../../plan/steps/container-activities';
import type { StepKind } from '../../../plan/steps/step';
import type { VerdictRecord } from '../../../plan/steps/verdict';
import type { Reservation } from '../budget/account-record';
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

export type KeepingKind = keyof KeptByKind & StepKind;
export type KeptOf<K extends KeepingKind> = { kind: K } & KeptByKind[K];
export type KindState = { [K in KeepingKind]: KeptOf<K> }[KeepingKind];

export interface AgentKept {
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
export type ChainResult = ChainEnd | ({ failure: ChainFailure } & Partial<CommandsOutput['failed']>) | { alone: true };

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

export interface LandedCandidate {
  step: string;
  slot: string;
  commit: string;
  result: string;
  already?: true;
  /** As the queue says (`TicketOutcome`). */
  order?: number;
}

interface MergeKept {
  /** Candidates that have landed, in the order in which they were offered: none is offered again in any round. */
  landed?: LandedCandidate[];
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
  /** How it ended, for its caller. */
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
  /** How it ended, for its caller. */
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
  /** The step has ended with it: if it runs again, it begins with what was lost. */
  isOver?: true;
}

interface CoordinateKept {
  unrouted?: Unrouted;
}
