import { defined } from '../../../plan/defined';
import { type FrozenQuorum, neededOf } from '../../../plan/people/quorum';
import { readVote, VOTE_SCHEMA, type Vote } from '../../../plan/people/vote';
import { isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';

/**
 * The result of votes on a proposal (docs/patterns.md, CP-4).
 *
 * Invariants: 1. a voter has one vote, the first; 2. it passes if the approvals reach the threshold of all who have voted, abstentions
 * included, and no rejection blocks; 3. with two options or more the approvals are those of one option, the leading one; 4. every vote that
 * does not count is listed with the reason.
 */
export interface TallyGiven {
  proposalId: string;
  voters: string[];
  /** Ids. Fewer than two: there is nothing to choose. */
  options: string[];
  threshold: FrozenQuorum;
  /** In the order in which they came. */
  ballots: Ballot[];
}

/** Something that somebody has put forward as a vote. */
export type Ballot = {
  from: string;
  /** Absent: it is the document `vote-<from>`. */
  vote?: Json;
  /** The person who has cast it, and in whose place. */
  by?: string;
  inPlaceOf?: string;
  /** It came after the vote had closed. */
  late?: true;
};

/** The name of a voter's document. */
export const voteDocument = (voter: string): string => `vote-${voter}`;

const TALLY_OUTCOMES = ['passed', 'failed', 'too-few', 'all-abstained'] as const;
export type TallyOutcome = (typeof TALLY_OUTCOMES)[number];

export type Tally = {
  proposalId: string;
  /** `too-few`: fewer than half of the voters have voted. `all-abstained`: nobody is for it or against it. */
  outcome: TallyOutcome;
  /** The approvals of the leading option, if there are several options. */
  approvals: number;
  rejections: number;
  abstentions: number;
  /** Approvals that it takes, of those who have voted. */
  needed: number;
  /** The leading option. */
  option?: string;
  votes: CountedVote[];
  refused: RefusedBallot[];
  /** Voters without a vote that counts. */
  missing: string[];
  /** Voters whose rejection blocks. */
  blocking: string[];
  /** Conditions of its passing; each once. */
  conditions: string[];
};

export type CountedVote = { from: string; by?: string; in_place_of?: string } & Vote;
export type RefusedBallot = { from: string; reason: string };

export function tallyVotes(given: TallyGiven, documents: Readonly<Record<string, Json>> = {}): Tally {
  const { proposalId, voters } = given;
  const { votes, refused } = counted(given, documents);
  const missing = voters.filter((voter) => !votes.some(({ from }) => from === voter));
  const standing = standingOf(votes, given);
  const blocking = votes.filter((vote) => vote.blocking).map(({ from }) => from);
  return {
    ...{ proposalId, outcome: outcomeOf(standing, given, { blocking, missing }) },
    ...{ approvals: standing.approvals, rejections: standing.rejections, abstentions: standing.abstentions },
    needed: neededOf(given.threshold, standing.counted),
    ...defined({ option: standing.option }),
    ...{ votes, refused, missing, blocking },
    conditions: [...new Set(votes.flatMap(({ conditions = [] }) => conditions))],
  };
}

/** Whether no vote that is still out can change whether it passes. */
export function isCertain(given: TallyGiven, out: readonly string[]): boolean {
  const { votes } = counted(given, {});
  if (out.length === 0 || votes.some(({ blocking }) => blocking)) return true;
  const standing = standingOf(votes, given);
  return standing.decided > 0 && !isWithinReach(standing, given, out.length);
}

/** Why a vote does not count; undefined if it does. The caller handles a voter's repeated votes. */
export function whyNotCounted(vote: Vote, { proposalId, options }: Pick<TallyGiven, 'proposalId' | 'options'>): string | undefined {
  if (vote.proposalId !== proposalId) return `it is for the proposal "${vote.proposalId}", not for "${proposalId}"`;
  if (vote.vote !== 'APPROVE' || options.length < 2) return undefined;
  if (vote.option === undefined) return `an approval must name its option, one of ${options.join(', ')}`;
  return options.includes(vote.option) ? undefined : `there is no option "${vote.option}"; the options are ${options.join(', ')}`;
}

function counted(given: TallyGiven, documents: Readonly<Record<string, Json>>): Pick<Tally, 'votes' | 'refused'> {
  const votes: CountedVote[] = [];
  const refused: RefusedBallot[] = [];
  for (const { from, vote: said, late, by, inPlaceOf } of given.ballots) {
    const document = said ?? documents[voteDocument(from)];
    const vote = readVote(document);
    const reason = whyRefused(given, from, vote, votes, late);
    if (reason !== undefined) refused.push({ from, reason });
    // Fields that the pipeline’s own schema adds stay with the vote.
    else if (!('problem' in vote)) votes.push({ ...beside(document), from, ...defined({ by, in_place_of: inPlaceOf }), ...vote });
  }
  return { votes, refused };
}

function beside(document: Json | undefined): JsonObject {
  if (!isJsonObject(document)) return {};
  return Object.fromEntries(Object.entries(document).filter(([key]) => !Object.hasOwn(VOTE_SCHEMA.properties, key)));
}

function whyRefused(
  given: TallyGiven,
  from: string,
  vote: Vote | { problem: string },
  votes: readonly CountedVote[],
  late: true | undefined,
): string | undefined {
  if (!given.voters.includes(from)) return 'it is from somebody without a vote';
  if (late) return 'it came after the vote had closed';
  if (votes.some((other) => other.from === from)) return 'only a voter’s first vote counts';
  return 'problem' in vote ? vote.problem : whyNotCounted(vote, given);
}

/** The state of a vote: `decided` are those who are for it or against it, `counted` those of whom the threshold is a share. */
interface Standing {
  approvals: number;
  rejections: number;
  abstentions: number;
  decided: number;
  counted: number;
  option?: string;
}

function standingOf(votes: readonly CountedVote[], { options }: TallyGiven): Standing {
  const of = (word: Vote['vote']): CountedVote[] => votes.filter(({ vote }) => vote === word);
  const [approved, rejected, abstained] = [of('APPROVE'), of('REJECT'), of('ABSTAIN')];
  const decided = approved.length + rejected.length;
  const counts = { rejections: rejected.length, abstentions: abstained.length, decided, counted: votes.length };
  if (options.length < 2) return { approvals: approved.length, ...counts };
  const [leading] = options
    .map((option) => ({ option, own: approved.filter((vote) => vote.option === option) }))
    .sort((a, b) => b.own.length - a.own.length || confidenceOf(b.own) - confidenceOf(a.own));
  return { approvals: leading?.own.length ?? 0, ...counts, ...(leading?.own.length ? { option: leading.option } : {}) };
}

/** Between two options with as many approvals, the one with surer voters leads, then the one that is written first. */
function confidenceOf(votes: readonly CountedVote[]): number {
  return votes.reduce((sum, { confidence = 1 }) => sum + confidence, 0);
}

/** If all who are out approved, of the leading option. */
function isWithinReach({ approvals, counted: total }: Standing, { threshold }: TallyGiven, out: number): boolean {
  return approvals + out >= neededOf(threshold, total + out);
}

function outcomeOf(standing: Standing, given: TallyGiven, { blocking, missing }: Pick<Tally, 'blocking' | 'missing'>): TallyOutcome {
  if (blocking.length > 0) return 'failed';
  const isHalf = 2 * (given.voters.length - missing.length) >= given.voters.length;
  if (standing.decided === 0) return isHalf ? 'all-abstained' : 'too-few';
  if (!isWithinReach(standing, given, missing.length)) return 'failed';
  if (!isHalf) return 'too-few';
  return isWithinReach(standing, given, 0) ? 'passed' : 'failed';
}
