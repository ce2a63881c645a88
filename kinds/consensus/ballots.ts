import { defined } from '../../plan/defined';
import { type BallotPaper, readVote, type Vote } from '../../plan/people/vote';
import type { ArtifactRef } from '../../plan/run/artifact';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import type { EntryEnd } from '../../workflows/interpreter/context/attempt-log';
import type { Ended, PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { partOf, partPath } from '../../workflows/interpreter/patterns/parts';
import type { VoterSpec } from './model';
import { type Ballot, isCertain, type TallyGiven, voteDocument, whyNotCounted } from './rules/tally';
import { countVotes, type VoterView } from './view';
import { openVote, tallyGiven, type VoteRound, type VoteStep } from './vote';

/** The votes so far, as the rule counts them, and the references to agents' votes in the store. */
export interface Ballots {
  ballots: Ballot[];
  documents: Record<string, ArtifactRef>;
}

/**
 * Asks every voter in parallel, and records each vote at the moment in which it comes.
 *
 * Invariants: 1. it ends once all have voted, the outcome is certain or the time is up; 2. if fewer than half have voted by then, it stays
 * open once more for as long; 3. votes that a lost worker was paid for count (`context/all.ts`).
 */
export async function collectBallots(step: VoteStep, ctx: StepContext, round: VoteRound): Promise<Ballots> {
  const { it, place } = step;
  const { voters, timeoutMs } = place.step;
  const { turn, ballot, given } = round;
  const branches = voters.map(({ name, part, kind }) => {
    const paper = kind === 'person' ? { ballot } : {};
    return [name, { part: partOf(it, place, part), turn, given, ...paper }] as const;
  });
  const { ended } = await ctx.all('votes', Object.fromEntries(branches), {
    timeoutMs,
    enough: (so) => isCertain(tallyOf(step, ballot, so), out(voters, so)),
    extend: (so) => extension(step, round, so),
    opened: (so) => showVotes(step, round, so),
    ended: (name, end) => takeDown(step, round, name, end),
  });
  const cast = voters.flatMap((voter) => {
    const end = ended[voter.name] as PartEnd | undefined;
    return end ? [{ voter, end }] : [];
  });
  const stored = cast.flatMap(({ voter, end }) =>
    voter.kind === 'agent' && end.artifact ? [[voteDocument(voter.name), end.artifact] as const] : [],
  );
  return {
    ballots: cast.map(({ voter, end }) => ({ ...ballotOf(voter, end, ballot), ...casterOf(step, round, voter) })),
    documents: Object.fromEntries(stored),
  };
}

/** A person's vote is in no document. */
function ballotOf({ name, kind }: VoterSpec, end: PartEnd, ballot: BallotPaper): Ballot {
  return kind === 'agent' && end.artifact ? { from: name } : { from: name, vote: saidAs(kind, end, ballot) };
}

/** The person who has answered at a ballot, and in whose place. */
function casterOf({ it: { run }, place }: VoteStep, { turn }: VoteRound, { kind, part }: VoterSpec): { by?: string; inPlaceOf?: string } {
  if (kind === 'agent') return {};
  const { by, inPlaceOf } = run.state.records[partPath(place, part, turn)]?.asked?.decision ?? {};
  return defined({ by, inPlaceOf });
}

/** The votes so far, as far as control knows them. */
function tallyOf(step: VoteStep, ballot: BallotPaper, ended: Ended): TallyGiven {
  const ballots = step.place.step.voters.flatMap(({ name, kind }): Ballot[] => {
    const end = ended[name];
    return end && !end.failure ? [{ from: name, vote: saidAs(kind, end.value as PartEnd, ballot) }] : [];
  });
  return tallyGiven(step, ballot, ballots);
}

function out(voters: readonly VoterSpec[], ended: Ended): string[] {
  return voters.flatMap(({ name }) => (Object.hasOwn(ended, name) ? [] : [name]));
}

/** The end of a part as a vote. */
function saidAs(kind: VoterSpec['kind'], { values = {} }: PartEnd, ballot: BallotPaper): JsonObject {
  // A missing path of an answer is null.
  if (kind === 'agent') return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  return personalVote(values, ballot);
}

/** A person's choice is the word of their vote; that of an option approves it. @param values of an approval's part */
export function personalVote(values: Readonly<Record<string, Json>>, { proposalId, options }: BallotPaper): JsonObject {
  const { decision, comment, value } = values;
  const option = options.find((id) => id === decision);
  const vote = option === undefined ? String(decision).toUpperCase() : 'APPROVE';
  return { ...(isJsonObject(value) ? value : {}), ...{ proposalId, vote, rationale: comment ?? '' }, ...defined({ option }) };
}

function read(kind: VoterSpec['kind'], end: EntryEnd, ballot: BallotPaper): { said: JsonObject; view: Partial<VoterView> } {
  if (end.failure) return { said: {}, view: { refused: end.failure.message } };
  const said = saidAs(kind, end.value as PartEnd, ballot);
  const vote = readVote(said);
  const refused = 'problem' in vote ? vote.problem : whyNotCounted(vote, ballot);
  return { said, view: refused === undefined && !('problem' in vote) ? wordsOf(vote) : defined({ refused }) };
}

function wordsOf({ vote, option, blocking }: Vote): Partial<VoterView> {
  return { vote, ...defined({ option, blocking: blocking || undefined }) };
}

/** Records a vote, or an invalid answer, in the journal and the view. */
function takeDown(step: VoteStep, round: VoteRound, name: string, end: EntryEnd): void {
  const { it, place } = step;
  const voter = place.step.voters.find((one) => one.name === name);
  const { said, view } = read(voter?.kind ?? 'agent', end, round.ballot);
  const caster = voter ? casterOf(step, round, voter) : {};
  journalFeedback(it, place, { type: 'vote', from: name, ...caster, data: said, ...defined({ refused: view.refused }) });
  const shown = openVote(step, round).voters.find((one) => one.name === name);
  if (shown) Object.assign(shown, view, caster);
  it.changed();
}

/** In a fresh execution, and in a rerun, the view is rebuilt from the log. */
function showVotes(step: VoteStep, round: VoteRound, ended: Ended): void {
  const vote = openVote(step, round);
  vote.voters = step.place.step.voters.map((voter) => {
    const { name, kind } = voter;
    const end = ended[name];
    return { name, ...(end ? { ...read(kind, end, round.ballot).view, ...casterOf(step, round, voter) } : {}) };
  });
  step.it.changed();
}

/** Fewer than half have voted: once more as long. */
function extension(step: VoteStep, round: VoteRound, ended: Ended): number | undefined {
  const { it, place } = step;
  const { timeoutMs, voters } = place.step;
  const vote = openVote(step, round);
  const voted = vote.voters.filter(({ vote: word }) => word !== undefined).length;
  if (2 * voted >= voters.length) return undefined;
  vote.deadlineMs = it.run.ctx.now() + timeoutMs;
  const extended_to = new Date(vote.deadlineMs).toISOString();
  const counts = { ...countVotes(vote), missing: out(voters, ended) };
  const data = { proposalId: round.ballot.proposalId, round: round.round, outcome: 'extended', ...counts, extended_to } as const;
  journalFeedback(it, place, { type: 'tally', data });
  it.changed();
  return timeoutMs;
}
