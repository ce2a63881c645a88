import type { VoteWord } from '../../plan/people/vote';
import { type KindView, type ShownFact, sentence } from '../../plan/steps/kind-view';
import type { ConsensusOutcome } from './rules/tally-report';

/** How a vote stands, as people see it while it runs and afterwards. */
export interface VoteView {
  proposal: { id: string; title: string };
  /** Counts from 1; `rounds` is the most. */
  round: number;
  rounds: number;
  /** In the order of the file. */
  voters: VoterView[];
  /** Until when votes count, ISO 8601. Absent once the vote is over. */
  deadline?: string;
  /** How it ended. Absent while it is open. */
  outcome?: ConsensusOutcome;
  option?: string;
  /** Who decided, if all abstained. */
  decidedBy?: string;
}

/**
 * `vote` is absent while it is awaited; `refused` says why an answer does not count; `by` is the person who has cast it, `inPlaceOf` in
 * whose place.
 */
export interface VoterView {
  name: string;
  vote?: VoteWord;
  option?: string;
  blocking?: true;
  refused?: string;
  by?: string;
  inPlaceOf?: string;
}

export interface VoteCounts {
  approvals: number;
  rejections: number;
  abstentions: number;
}

export function countVotes({ voters }: Pick<VoteView, 'voters'>): VoteCounts {
  const of = (word: VoteWord): number => voters.filter(({ vote }) => vote === word).length;
  return { approvals: of('APPROVE'), rejections: of('REJECT'), abstentions: of('ABSTAIN') };
}

/** `a APPROVE, b REJECT (blocks it)`: voters who have answered, and who decided in their place, if somebody did. */
export function describeVoters({ voters, decidedBy }: Pick<VoteView, 'voters' | 'decidedBy'>): string {
  const cast = voters.flatMap(({ name, vote, option, blocking, by = name }) =>
    vote === undefined
      ? []
      : [`${name}${by === name ? '' : ` (by ${by})`} ${vote}${option === undefined ? '' : ` ${option}`}${blocking ? ' (blocks it)' : ''}`],
  );
  const votes = cast.length === 0 ? 'nobody has voted' : cast.join(', ');
  return decidedBy === undefined ? votes : `${votes}; ${decidedBy} decided in their place`;
}

/** Voters who have not voted yet. Nobody once the vote is over. */
export function awaitedVoters({ voters, outcome }: VoteView): string[] {
  return outcome === undefined
    ? voters.filter(({ vote, refused }) => vote === undefined && refused === undefined).map(({ name }) => name)
    : [];
}

/** `2 approve, 1 rejects, 1 abstains, of 5`; of options `1 for A, 1 for B, 1 rejects, of 5`. */
export function describeCounts(view: VoteView): string {
  const { approvals, rejections, abstentions } = countVotes(view);
  const chosen = [...new Set(view.voters.flatMap(({ vote, option }) => (vote === 'APPROVE' && option !== undefined ? [option] : [])))];
  const perOption = chosen.map((option) => [view.voters.filter((voter) => voter.option === option).length, `for ${option}`] as const);
  const said = [
    ...(perOption.length > 0 ? perOption : [[approvals, approvals === 1 ? 'approves' : 'approve'] as const]),
    [rejections, rejections === 1 ? 'rejects' : 'reject'] as const,
    [abstentions, abstentions === 1 ? 'abstains' : 'abstain'] as const,
  ];
  const words = said.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]));
  return `${words.length === 0 ? 'no votes yet' : words.join(', ')}, of ${view.voters.length}`;
}

export const VOTE_VIEW: KindView<'vote', VoteView> = {
  key: 'vote',
  awaits(vote) {
    const names = awaitedVoters(vote);
    return names.length === 0 ? undefined : `${names.length === 1 ? 'the vote' : 'the votes'} of ${names.join(', ')}`;
  },
  until: ({ deadline }) => deadline,
  facts: voteFacts,
  news: (vote) =>
    vote.voters.some((voter) => voter.vote !== undefined)
      ? sentence(describeCounts(vote), awaitedVoters(vote).join(', ') || undefined, vote.outcome)
      : undefined,
};

/** How a vote is going; that of a later round says which it is. */
function voteFacts(vote: VoteView): ShownFact[] {
  const { round, rounds, outcome, option, decidedBy } = vote;
  return [
    describeCounts(vote),
    ...(round > 1 ? [`vote ${round} of ${rounds}`] : []),
    ...(outcome === undefined ? [] : [{ text: outcome, tone: 'strong' as const }]),
    ...(option === undefined ? [] : [option]),
    ...(decidedBy === undefined ? [] : [`decided by ${decidedBy}`]),
  ];
}
