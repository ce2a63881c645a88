import { BOARD_KEEPS } from '../../../kinds/board/state';
import { BRIEF_KEEPS } from '../../../kinds/brief/state';
import { TEAM_KEEPS } from '../../../kinds/caid/state';
import { CONSENSUS_KEEPS } from '../../../kinds/consensus/state';
import { CONSULT_KEEPS } from '../../../kinds/consult/state';
import { COORDINATE_KEEPS } from '../../../kinds/coordinate/state';
import { ESCALATE_KEEPS } from '../../../kinds/escalate/state';
import { INCREMENTS_KEEPS } from '../../../kinds/increments/state';
import { MERGE_KEEPS } from '../../../kinds/merge/state';
import { SWARM_KEEPS } from '../../../kinds/swarm/state';
import { TRACKS_KEEPS } from '../../../kinds/tracks/state';
import type { KindsWith } from '../../../kinds/traits';
import type { MemberTurn } from '../../../plan/board/member-work';
import type { ReviewFindings } from '../../../plan/patterns/review-findings';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { ChainEnd, ChainFailure, CommandsOutput } from '../../../plan/steps/container-activities';
import type { Keeps } from '../../../plan/steps/keeps';
import type { StepKind } from '../../../plan/steps/step';
import type { VerdictRecord } from '../../../plan/steps/verdict';
import type { Reservation } from '../budget/account-record';
import type { ChildRecord, LoopRecord, RoundsRecord } from '../containers/container-record';

/** Kinds that keep what no other does, and what others ask of that. */
const TABLE = {
  merge: MERGE_KEEPS,
  caid: TEAM_KEEPS,
  board: BOARD_KEEPS,
  brief: BRIEF_KEEPS,
  consensus: CONSENSUS_KEEPS,
  tracks: TRACKS_KEEPS,
  escalate: ESCALATE_KEEPS,
  consult: CONSULT_KEEPS,
  swarm: SWARM_KEEPS,
  increments: INCREMENTS_KEEPS,
  coordinate: COORDINATE_KEEPS,
} as const satisfies { [K in StepKind]?: Keeps<object, unknown> };

export const KEEPS: { readonly [K in StepKind]?: Keeps<object, unknown> } = TABLE;

/**
 * What a kind of step keeps of its round besides what every step does. What its traits say about it comes first. Other kinds keep nothing.
 */
type KeptByKind = KeptByTrait & { [K in keyof typeof TABLE]: (typeof TABLE)[K] extends Keeps<infer Kept, infer _View> ? Kept : never };

type KeptByTrait = Record<Exclude<KindsWith<{ agents: true }>, JudgingKind>, AgentKept> &
  Record<JudgingKind, JudgeKept> &
  Record<KindsWith<{ chains: true }>, ChainedKept> &
  Record<KindsWith<{ joins: true }>, JoinedKept> &
  Record<KindsWith<{ iterates: 'items' }>, LoopKept> &
  Record<KindsWith<{ iterates: 'rounds' }>, RoundsKept> &
  Record<KindsWith<{ child: true }>, ChildKept>;
type JudgingKind = KindsWith<{ judges: true }>;
export type KindInRounds = KindsWith<{ iterates: 'rounds' }>;

export type KeepingKind = keyof KeptByKind & StepKind;
export type KeptOf<K extends KeepingKind> = { kind: K } & KeptByKind[K];
export type KindState = { [K in KeepingKind]: KeptOf<K> }[KeepingKind];

export interface AgentKept {
  adapter?: string;
  /** The owner's context as its current try was given it. */
  context?: ArtifactRef[];
  /** The owner's context with the conversation of the try in it, once the try is done. */
  leftContext?: ArtifactRef;
  /** The earlier steps' contexts within it, by digest. */
  contextWithin?: string[];
  /** For a turn of a member of a board. */
  memberTurn?: MemberTurn;
}

export interface JudgeKept extends AgentKept {
  verdict?: VerdictRecord;
  findings?: ReviewFindings;
  /** The second reviewer's verdict. */
  critic?: { verdict: VerdictRecord; artifact?: ArtifactRef };
}

interface ChainedKept {
  /** The result that a chain has brought for the step, until it is its turn. */
  fetched?: ChainResult;
}

/** `alone`: nothing, and no chain is to try it again. */
export type ChainResult = ChainEnd | ({ failure: ChainFailure } & Partial<CommandsOutput['failed']>) | { alone: true };

interface JoinedKept {
  /** Branches that gave no result. */
  missing?: string[];
}

interface LoopKept {
  loop?: LoopRecord;
}

interface RoundsKept {
  rounds?: RoundsRecord;
}

export interface ChildKept {
  child?: ChildRecord;
  /** The reservation of budgets for its child. */
  hold?: Reservation;
}
