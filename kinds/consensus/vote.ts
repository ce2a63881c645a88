import type { ArtifactRef } from '../../plan/run/artifact';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { openKindState } from '../../workflows/interpreter/state/kind-state';
import type { Ballot, TallyGiven } from './rules/tally';
import type { ReportValues } from './rules/tally-report';
import type { BallotPaper } from './rules/vote';
import type { VotePosition, VoteState } from './state';

/** What the parts of a vote share: the step, and what is kept of it for people and for a further try. */
export interface VoteStep {
  it: Interpreter;
  place: PlaceOf<'consensus'>;
}

/** What a round asks its voters. */
export interface VoteRound extends Pick<VotePosition, 'turn' | 'round'> {
  title: string;
  ballot: BallotPaper;
  /** What voters are given: the proposal and, where there was one before, the report of the last round. */
  given: Record<string, ArtifactRef>;
}

/** Where a try begins: where the one before broke off, else with a vote of its own. */
export function firstPosition({ it, place }: VoteStep): VotePosition {
  const { next, turn = 0 } = openKindState(it.run.record(place.path), 'consensus');
  return next ?? { turn: turn + 1, round: 1, earlier: [] };
}

export function keepPosition(step: VoteStep, position: VotePosition): void {
  const { it, place } = step;
  const began = begunIn(step);
  Object.assign(openKindState(it.run.record(place.path), 'consensus'), { turn: position.turn, next: position, began });
}

/**
 * The round of the step in which its turns began to count. Where the container around it tries again they count on, and the votes that are in are for the proposal
 * that they name.
 */
export function begunIn({ it: { run }, place }: VoteStep): number {
  const record = run.record(place.path);
  return openKindState(record, 'consensus').began ?? record.round;
}

/** How the vote stands that a round has opened. */
export function openVote({ it, place }: VoteStep, { round, title, ballot }: VoteRound): VoteState {
  const kept = openKindState(it.run.record(place.path), 'consensus');
  if (kept.vote?.proposal.id === ballot.proposalId) return kept.vote;
  const { rounds, voters, timeoutMs } = place.step;
  const vote: VoteState = {
    proposal: { id: ballot.proposalId, title },
    ...{ round, rounds, voters: voters.map(({ name }) => ({ name })) },
    deadlineMs: it.run.ctx.now() + timeoutMs,
  };
  kept.vote = vote;
  return vote;
}

/** What the rule counts: control while votes come in, and the tally when the vote is over. */
export function tallyGiven({ place }: VoteStep, ballot: BallotPaper, ballots: Ballot[]): TallyGiven {
  const { voters, threshold } = place.step;
  return { ...ballot, voters: voters.map(({ name }) => name), threshold, ballots };
}

/** What a round has come to enters the journal and the view. */
export function noteOutcome(step: VoteStep, round: VoteRound, values: ReportValues, decidedBy?: string): void {
  const { it, place } = step;
  const { outcome, option, passed: _passed, ...counts } = values;
  const vote = openVote(step, round);
  Object.assign(vote, { outcome, ...(option === undefined ? {} : { option }), ...(decidedBy === undefined ? {} : { decidedBy }) });
  const by = decidedBy === undefined ? {} : { decided_by: decidedBy };
  const data = {
    proposalId: round.ballot.proposalId,
    round: round.round,
    outcome,
    ...counts,
    ...(option === undefined ? {} : { option }),
    ...by,
  };
  journalFeedback(it, place, { type: 'tally', data });
  it.changed();
}

/** Nothing of its rounds is left to continue. */
export function conclude({ it: { run }, place }: VoteStep, passed: boolean): void {
  delete openKindState(run.record(place.path), 'consensus').next;
  if (!passed) run.journal.add({ kind: 'step', step: run.name(place.path), state: 'running', reason: 'its rounds are over' });
}
