import { applyRule } from '../../activities/patterns/apply-rule';
import { type TallyGiven, voteDocument } from '../../kinds/consensus/rules/tally';
import { applyRule as decide, type RuleCall } from '../../plan/patterns/rule';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { codeOf, KEY, workshop } from '../activities/workshop';

const STEP: Step = { id: 'decide', kind: 'wait', forMs: 1 };
const vote = (word: string, more: Record<string, Json> = {}): Json => ({ proposalId: 'p', vote: word, rationale: 'because', ...more });

async function tallied(votes: Record<string, Json>, more: Partial<TallyGiven> = {}) {
  const shop = workshop();
  await shop.open([STEP]);
  const put = async (value: Json): Promise<ArtifactRef> => shop.artifacts.put(JSON.stringify(value), { mediaType: 'application/json' });
  const stored = await Promise.all(Object.entries(votes).map(async ([from, said]) => [from, await put(said)] as const));
  const voters = Object.keys(votes);
  const given: TallyGiven = {
    ...{ proposalId: 'p', voters, options: [], threshold: { share: [2, 3] }, ballots: voters.map((from) => ({ from })) },
    ...more,
  };
  const input = {
    run: KEY.run,
    as: 'tally-1',
    call: { rule: 'tally', given },
    documents: Object.fromEntries(stored.map(([from, ref]) => [voteDocument(from), ref])),
  } as const;
  const answer = await applyRule(shop.toolbox, shop.call('decide#1~1/tally-1'), input);
  return { ...answer, result: JSON.parse((await shop.artifacts.get(answer.artifact)).toString()) as Json };
}

describe('a rule', () => {
  it('decides over what is in the store, and stores the whole of what it says', async () => {
    const { artifact, values, result } = await tallied({
      a: vote('APPROVE', { conditions: ['test it'] }),
      b: vote('REJECT'),
      c: vote('APPROVE'),
    });
    expect(artifact).toMatchObject({ name: 'decide.tally-1.json', mediaType: 'application/json' });
    expect(values).toEqual({
      ...{ passed: true, outcome: 'passed', approvals: 2, rejections: 1, abstentions: 0, needed: 2 },
      ...{ missing: [], conditions: ['test it'] },
    });
    expect(result).toMatchObject({ votes: [{ from: 'a', rationale: 'because' }, { from: 'b' }, { from: 'c' }], refused: [] });
  });

  it('does the same again', async () => {
    const votes = { a: vote('APPROVE'), b: vote('ABSTAIN') };
    expect((await tallied(votes)).artifact).toEqual((await tallied(votes)).artifact);
  });

  it('answers control with 64 KiB at most', async () => {
    const conditions = (from: string): string[] => Array.from({ length: 20 }, (_, i) => `${from}${i}${'x'.repeat(2000)}`);
    const many = { a: vote('APPROVE', { conditions: conditions('a') }), b: vote('APPROVE', { conditions: conditions('b') }) };
    expect(await codeOf(tallied(many))).toBe('values.too-large');
  });

  it('fails if a document is not in the store', async () => {
    const shop = workshop();
    await shop.open([STEP]);
    const given: TallyGiven = { proposalId: 'p', voters: ['a'], options: [], threshold: 1, ballots: [{ from: 'a' }] };
    const nowhere = { sha256: '0'.repeat(64), sizeBytes: 2, mediaType: 'application/json' };
    const input = { run: KEY.run, as: 't', call: { rule: 'tally', given }, documents: { [voteDocument('a')]: nowhere } } as const;
    expect(await codeOf(applyRule(shop.toolbox, shop.call('decide#1~1/t'), input))).toBe('artifact.missing');
  });

  it.each(['constructor', 'hasOwnProperty', 'none'])('is one of the rules that there are, and "%s" is none', (rule) => {
    const forged = { rule, given: { result: 'forged', values: {} } } as unknown as RuleCall;
    expect(() => decide(forged, {})).toThrow(`there is no rule "${rule}"`);
  });
});
