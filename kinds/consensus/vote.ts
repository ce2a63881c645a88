import { defined } from '../../plan/defined';
import type { BallotPaper } from '../../plan/people/vote';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { positionKeeper } from '../../workflows/interpreter/patterns/positions';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import type { Ballot, TallyGiven } from './rules/tally';
import type { ReportValues } from './rules/tally-report';
import type { VotePosition, VoteState } from './state';

/** The shared state of a vote: the step, and what is kept of it for people and for a further try. */
export interface VoteStep {
  it: Interpreter;
  place: PlaceOf<'consensus'>;
}

/** The question of a round to its voters. */
export interface VoteRound extends Pick<VotePosition, 'turn' | 'round'> {
  title: string;
  ballot: BallotPaper;
  /** The voters' inputs: the proposal and, if there was an earlier round, the report of the last one. */
  given: Record<string, ArtifactRef>;
}

const positionsOf = (step: VoteStep) => positionKeeper(step, 'consensus');

/** Where a try begins: where the earlier one broke off, else with a vote of its own. */
export function firstPosition(step: VoteStep): VotePosition {
  const positions = positionsOf(step);
  return positions.left() ?? { turn: positions.firstTurn(), round: 1, earlier: [] };
}

export function keepPosition(step: VoteStep, position: VotePosition): void {
  positionsOf(step).keep(position, { began: begunIn(step) });
}

/**
 * The round of the step in which its turns began to count. If the enclosing container tries again they continue, and earlier votes are for
 * the proposal that they name.
 */
export function begunIn(step: VoteStep): number {
  return positionsOf(step).kept().began ?? step.it.run.record(step.place.path).round;
}

/** The state of the vote that a round has opened. */
export function openVote(step: VoteStep, { round, title, ballot }: VoteRound): VoteState {
  const { it, place } = step;
  const kept = positionsOf(step).kept();
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

/** The rule's input: for control while votes come in, and for the tally when the vote is over. */
export function tallyGiven({ place }: VoteStep, ballot: BallotPaper, ballots: Ballot[]): TallyGiven {
  const { voters, threshold } = place.step;
  return { ...ballot, voters: voters.map(({ name }) => name), threshold, ballots };
}

/** Records the outcome of a round in the journal and the view. */
export function noteOutcome(step: VoteStep, round: VoteRound, values: ReportValues, decidedBy?: string): void {
  const { it, place } = step;
  const { outcome, option, passed: _passed, ...counts } = values;
  const vote = openVote(step, round);
  Object.assign(vote, { outcome, ...defined({ option, decidedBy }) });
  const by = decidedBy === undefined ? {} : { decided_by: decidedBy };
  const data = {
    proposalId: round.ballot.proposalId,
    round: round.round,
    outcome,
    ...counts,
    ...defined({ option }),
    ...by,
  };
  journalFeedback(it, place, { type: 'tally', data });
  it.changed();
}

/** Nothing of its rounds is left to continue. */
export function conclude(step: VoteStep, passed: boolean): void {
  const { it, place } = step;
  const { run } = it;
  positionsOf(step).conclude({});
  if (!passed) run.journal.add({ kind: 'step', step: run.name(place.path), state: 'running', reason: 'its rounds are over' });
}
