import type { TeamState } from '../../../kinds/caid/state';
import type { VoteState } from '../../../kinds/consensus/state';
import type { AdviceView } from '../../../kinds/consult/view';
import type { EscalationEnd } from '../../../kinds/escalate/state';
import type { EscalationView } from '../../../kinds/escalate/view';
import type { Delivery } from '../../../kinds/increments/rules/delivery';
import { backToTurn } from '../../../kinds/increments/rules/delivery-again';
import type { SwarmEnd } from '../../../kinds/swarm/state';
import type { SwarmView } from '../../../kinds/swarm/view';
import type { TracksState } from '../../../kinds/tracks/state';
import { traitsOf } from '../../../kinds/traits';
import type { Unrouted } from '../../../plan/patterns/unrouted';
import type { VerdictRecord } from '../../../plan/steps/verdict';
import type { ChildRecord, LoopRecord, RoundsRecord } from '../containers/container-record';

import type { AgentKept, ChainResult, KeepingKind, KeptOf, KindState } from './kept-by-kind';

/** Reads and writes what a kind of step keeps of its round. */
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

/** How a step that an action called has ended; undefined if its kind is never called, or it has no result. */
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
