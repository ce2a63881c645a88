import { type Ballot, isCertain, type Tally, type TallyGiven, tallyVotes, whyNotCounted } from '../../kinds/consensus/rules/tally';
import { neededOf } from '../../plan/people/quorum';
import type { Vote } from '../../plan/people/vote';
import type { Json } from '../../plan/text/json';
import { chance } from '../caid/chance';
import { sweepCount } from '../support/sweep';

const TWO_THIRDS = { share: [2, 3] } as const;

function vote(word: Vote['vote'], more: Partial<Vote> = {}): Vote {
  return { proposalId: 'p-1', vote: word, rationale: 'because', ...more };
}

/** The votes of a, b, c …, written as in `AARx`: `x` is silent, `B` blocks. */
const SAID: Readonly<Record<string, Vote>> = {
  A: vote('APPROVE'),
  R: vote('REJECT'),
  B: vote('REJECT', { blocking: true }),
  '-': vote('ABSTAIN'),
};

function given(said: string, more: Partial<TallyGiven> = {}): TallyGiven {
  const voters = [...said].map((_, i) => String.fromCharCode(97 + i));
  const ballots = [...said].flatMap((word, i): Ballot[] => (SAID[word] ? [{ from: voters[i] ?? '', vote: SAID[word] }] : []));
  return { proposalId: 'p-1', voters, options: [], threshold: TWO_THIRDS, ballots, ...more };
}

describe('what votes come to', () => {
  it.each([
    ['AAA', 'passed', 'all approve'],
    ['AAR', 'passed', 'two thirds approve'],
    ['ARR', 'failed', 'fewer do'],
    ['AAAAB', 'failed', 'a rejection blocks'],
    ['A--', 'failed', 'one of three votes approves'],
    ['A----', 'failed', 'one of five votes approves'],
    ['AA-', 'passed', 'two of three votes approve'],
    ['AAA--', 'failed', 'three of five are less than two thirds'],
    ['AAAA-', 'passed', 'four of five approve'],
    ['A--xx', 'failed', 'three of five are less than two thirds, if the others approved'],
    ['A-x', 'failed', 'one of two votes approves, and who is silent has none'],
    ['AR-', 'failed', 'one of three is less than two thirds'],
    ['---', 'all-abstained', 'nobody decides'],
    ['--x', 'all-abstained', 'all who have voted abstain'],
    ['Axx', 'too-few', 'one of three is less than half'],
    ['AAxx', 'passed', 'two of four are half'],
    ['A-xxx', 'too-few', 'two of five are less than half'],
    ['RRxxx', 'failed', 'whatever the others say'],
    ['Bxxxx', 'failed', 'whatever the others say'],
    ['xx', 'too-few', 'nobody has voted'],
  ])('CP-4 · success · ballots and what they come to: %s, %s, %s', (said, outcome) => {
    expect(tallyVotes(given(said)).outcome).toBe(outcome);
  });

  it.each([
    [{ count: 2 }, 'AA-x', 'passed'],
    [{ count: 3 }, 'AA-x', 'failed'],
    [{ count: 2 }, '--x', 'all-abstained'],
    [{ share: [1, 1] as const }, 'AAAR', 'failed'],
    [{ share: [1, 2] as const }, 'ARAR', 'passed'],
    [{ share: [3, 5] as const }, 'AAARR', 'passed'],
  ])('CP-4 · success · a threshold is a count or a share: %j, %s, %s', (threshold, said, outcome) => {
    expect(tallyVotes(given(said, { threshold })).outcome).toBe(outcome);
  });

  it.each([
    ['A----', 'failed'],
    ['AA-R', 'failed'],
    ['AAA-', 'passed'],
  ])('CP-4 · success · a share is of all votes, abstentions included: %s, %s', (said, outcome) => {
    expect(tallyVotes(given(said)).outcome).toBe(outcome);
  });

  it('CP-4 · duplicate · the first vote of a voter counts', () => {
    const of = given('AAA', { ballots: [...given('RRR').ballots, ...given('AAA').ballots] });
    expect(tallyVotes(of)).toMatchObject({ outcome: 'failed', rejections: 3, refused: [{ from: 'a' }, { from: 'b' }, { from: 'c' }] });
  });

  it.each<[string, Ballot, RegExp]>([
    ['late answer · a ballot from after the close does not count', { from: 'a', vote: vote('APPROVE'), late: true }, /closed/],
    ['roles · a ballot of somebody without a vote does not count', { from: 'z', vote: vote('APPROVE') }, /without a vote/],
    ['entry · nor does one for another proposal', { from: 'a', vote: vote('APPROVE', { proposalId: 'p-0' }) }, /"p-0"/],
    ['entry · nor does one without a rationale', { from: 'a', vote: vote('APPROVE', { rationale: ' \n' }) }, /rationale/],
    ['entry · nor does one with a confidence of 7', { from: 'a', vote: vote('APPROVE', { confidence: 7 }) }, /confidence/],
    [
      'entry · nor does one with a confidence that is a word',
      { from: 'a', vote: { ...vote('APPROVE'), confidence: 'high' } },
      /confidence/,
    ],
    ['entry · nor does one with an unknown word', { from: 'a', vote: { ...vote('APPROVE'), vote: 'YES' } }, /APPROVE/],
    ['entry · nor does what is no vote at all', { from: 'a', vote: 'yes' }, /not a vote/],
    ['entry · nor does one with conditions that are no list', { from: 'a', vote: { ...vote('APPROVE'), conditions: 'x' } }, /conditions/],
  ])('CP-4 · %s, and the tally says why', (_, ballot, reason) => {
    const { votes, refused, missing } = tallyVotes(given('xx', { ballots: [ballot] }));
    expect({ votes, missing }).toEqual({ votes: [], missing: ['a', 'b'] });
    expect(refused).toEqual([{ from: ballot.from, reason: expect.stringMatching(reason) }]);
  });

  it('CP-4 · workflow · a vote that is in the store is read from there', () => {
    const of = given('xx', { ballots: [{ from: 'a' }, { from: 'b' }] });
    expect(tallyVotes(of, { 'vote-a': vote('APPROVE'), 'vote-b': vote('APPROVE') })).toMatchObject({ outcome: 'passed', approvals: 2 });
  });

  it('CP-4 · success · conditions are listed, each once', () => {
    const of = given('AAA');
    const [a, b, c] = [['keep the old one'], ['keep the old one', 'test it'], []].map((conditions) => vote('APPROVE', { conditions }));
    const ballots = [a, b, c].map((said, i) => ({ from: of.voters[i] ?? '', vote: said as Json }));
    expect(tallyVotes({ ...of, ballots }).conditions).toEqual(['keep the old one', 'test it']);
  });

  it('CP-4 · silence/abstention · blocking is a matter of rejections alone', () => {
    const of = given('AA', {
      ballots: [
        { from: 'a', vote: vote('APPROVE', { blocking: true }) },
        { from: 'b', vote: vote('APPROVE') },
      ],
    });
    expect(tallyVotes(of)).toMatchObject({ outcome: 'passed', blocking: [] });
  });
});

describe('with options', () => {
  const options = ['x', 'y'];
  const choose = (...said: [option: string | undefined, confidence?: number][]): Tally => {
    const voters = said.map((_, i) => String(i));
    const ballots = said.map(([option, confidence], i) => {
      const more = { ...(option === undefined ? {} : { option }), ...(confidence === undefined ? {} : { confidence }) };
      return { from: String(i), vote: vote('APPROVE', more) };
    });
    return tallyVotes(given('', { voters, ballots, options }));
  };

  it('CP-4 · success · the approvals are those of the leading option', () => {
    expect(choose(['y'], ['y'], ['x'])).toMatchObject({ outcome: 'passed', option: 'y', approvals: 2, needed: 2 });
    expect(choose(['y'], ['y'], ['x'], ['x'])).toMatchObject({ outcome: 'failed', approvals: 2, needed: 3 });
  });

  it('CP-4 · success · of two with as many approvals the surer one leads, then the first', () => {
    expect(choose(['x', 0.4], ['y', 0.9])).toMatchObject({ option: 'y' });
    expect(choose(['y'], ['x'])).toMatchObject({ option: 'x' });
  });

  it('CP-4 · entry · an approval without its option, or of one that there is not, does not count', () => {
    expect(choose([undefined], ['z'], ['x'], ['x'])).toMatchObject({ outcome: 'passed', refused: [{ from: '0' }, { from: '1' }] });
    expect(whyNotCounted(vote('REJECT'), { proposalId: 'p-1', options })).toBeUndefined();
  });
});

describe('the outcome is certain', () => {
  it.each([
    ['Axx', false, 'as long as the others may reject'],
    ['AAx', false, 'as long as one may block'],
    ['Bxx', true, 'once somebody blocks'],
    ['RRx', true, 'once the threshold is out of reach'],
    ['Rxx', false, 'as long as two of three may approve'],
    ['AAA', true, 'once all have voted'],
    ['A--xx', true, 'once abstentions put the threshold out of reach'],
    ['--x', false, 'as long as all may abstain'],
  ])('CP-4 · workflow · when an outcome is certain: %s, %s, %s', (said, certain) => {
    const of = given(said);
    const out = of.voters.filter((voter) => !of.ballots.some(({ from }) => from === voter));
    expect(isCertain(of, out)).toBe(certain);
  });
});

/** A naive count. */
function naive({ ballots, voters, threshold, options }: TallyGiven): Pick<Tally, 'outcome' | 'approvals'> {
  const first = new Map<string, Vote>();
  for (const { from, vote: said, late } of ballots) {
    const one = said as unknown as Vote;
    const isGood = one.proposalId === 'p-1' && (one.vote !== 'APPROVE' || options.length < 2 || options.includes(one.option ?? ''));
    if (!late && voters.includes(from) && isGood && !first.has(from)) first.set(from, one);
  }
  const votes = [...first.values()];
  const approved = votes.filter((one) => one.vote === 'APPROVE');
  const decided = votes.filter((one) => one.vote !== 'ABSTAIN').length;
  const whole = votes.length;
  const per = options.length < 2 ? [approved.length] : options.map((option) => approved.filter((one) => one.option === option).length);
  const approvals = Math.max(...per);
  const out = voters.length - votes.length;
  const blocks = votes.some((one) => one.blocking === true && one.vote === 'REJECT');
  if (blocks) return { outcome: 'failed', approvals };
  const tooFew = votes.length < voters.length / 2;
  if (decided === 0) return { outcome: tooFew ? 'too-few' : 'all-abstained', approvals };
  if (approvals + out < neededOf(threshold, whole + out)) return { outcome: 'failed', approvals };
  if (tooFew) return { outcome: 'too-few', approvals };
  return { outcome: approvals >= neededOf(threshold, whole) ? 'passed' : 'failed', approvals };
}

function randomVotes(seed: number): TallyGiven {
  const dice = chance(seed);
  const voters = Array.from({ length: 1 + dice(6) }, (_, i) => `v${i}`);
  const options = ['x', 'y', 'z'].slice(0, dice(4));
  const ballots = Array.from({ length: dice(9) }, (): Ballot => {
    const word = (['APPROVE', 'APPROVE', 'REJECT', 'ABSTAIN'] as const)[dice(4)] ?? 'ABSTAIN';
    const option = ['x', 'y', 'z', 'w'][dice(4)] ?? 'w';
    const said = vote(word, { option, blocking: dice(8) === 0, proposalId: dice(9) === 0 ? 'p-0' : 'p-1' });
    return { from: `v${dice(7)}`, vote: said, ...(dice(9) === 0 ? { late: true } : {}) };
  });
  const thresholds: TallyGiven['threshold'][] = [TWO_THIRDS, { share: [1, 2] }, { share: [1, 1] }, { count: 2 }, { share: [3, 5] }];
  const threshold = thresholds[dice(5)] ?? TWO_THIRDS;
  return { proposalId: 'p-1', voters, options, ballots, threshold };
}

describe('random votes', () => {
  const all = Array.from({ length: sweepCount(2000, 10_000) }, (_, seed) => randomVotes(seed + 1));

  it('CP-4 · success · random votes come to what one counts by hand', () => {
    for (const one of all) {
      const { outcome, approvals } = tallyVotes(one);
      expect({ one, outcome, approvals }).toEqual({ one, ...naive(one) });
    }
  });

  it('CP-4 · workflow · once the outcome is certain, no vote changes whether it passes', () => {
    for (const [i, one] of all.entries()) {
      const { missing, outcome } = tallyVotes(one);
      if (!isCertain(one, missing) || missing.length === 0) continue;
      expect(outcome).toBe('failed');
      const dice = chance(i + 1);
      const more = missing.map((from) => ({
        from,
        vote: vote((['APPROVE', 'REJECT', 'ABSTAIN'] as const)[dice(3)] ?? 'REJECT', { option: 'x' }),
      }));
      expect(tallyVotes({ ...one, ballots: [...one.ballots, ...more] }).outcome).toBe('failed');
    }
  });
});
