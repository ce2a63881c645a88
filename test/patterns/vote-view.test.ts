import { awaitedVoters, describeCounts, type VoterView, type VoteView } from '../../kinds/consensus/view';

const view = (voters: VoterView[], more: Partial<VoteView> = {}): VoteView => ({
  ...{ proposal: { id: 'p', title: 'Shall we?' }, round: 1, rounds: 2, voters },
  ...more,
});

describe('how a vote is shown', () => {
  it.each<[VoterView[], string]>([
    [[{ name: 'a' }], 'no votes yet, of 1'],
    [[{ name: 'a', vote: 'APPROVE' }, { name: 'b', vote: 'REJECT' }, { name: 'c' }], '1 approves, 1 rejects, of 3'],
    [
      [
        { name: 'a', vote: 'APPROVE' },
        { name: 'b', vote: 'APPROVE' },
        { name: 'c', vote: 'ABSTAIN' },
      ],
      '2 approve, 1 abstains, of 3',
    ],
    [
      [
        { name: 'a', vote: 'APPROVE', option: 'X' },
        { name: 'b', vote: 'APPROVE', option: 'Y' },
        { name: 'c', vote: 'REJECT' },
      ],
      '1 for X, 1 for Y, 1 rejects, of 3',
    ],
  ])('counts what was said: %j', (voters, text) => {
    expect(describeCounts(view(voters))).toBe(text);
  });

  it('waits for those who have not voted, and for nobody once it is over', () => {
    const voters: VoterView[] = [{ name: 'a', vote: 'APPROVE' }, { name: 'b', refused: 'no vote' }, { name: 'c' }];
    expect(awaitedVoters(view(voters))).toEqual(['c']);
    expect(awaitedVoters(view(voters, { outcome: 'failed' }))).toEqual([]);
  });
});
