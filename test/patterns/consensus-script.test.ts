import type { JournalEntry } from '../../plan/run/journal';
import { type PlayedFile, playFile } from './file-play';

/** Tests votes in scripts. Their writers do not know the ids of proposals. */

const FILE = `name: p
agents: {a: {role: A.}, b: {role: B.}, c: {role: C.}}
steps:
  - {id: decide, type: consensus, proposal: Shall we?, voters: [a, b], revise_by: c, rounds: 2, on_fail: continue}
`;
const saying = (vote: string, more = {}) => ({ json: { vote, rationale: 'It is so.', ...more } });
const REVISED = { decide_revise: [{ json: { title: 'Shall we now?', context: 'It is smaller.' } }] };

const ofType = ({ journal }: PlayedFile, type: string) =>
  journal.filter((entry): entry is Extract<JournalEntry, { kind: 'pattern' }> => entry.kind === 'pattern' && entry.type === type);

test('a vote in a script that names no proposal is for the one that is voted on, in each round', async () => {
  const replies = { decide_a: [{ iteration: 1, ...saying('REJECT') }, saying('APPROVE')], decide_b: [saying('APPROVE')], ...REVISED };
  const played = await playFile(FILE, replies);
  const ids = ofType(played, 'proposal').map(({ data }) => (data as { id: string }).id);
  expect(new Set(ids).size).toBe(2);
  expect(ofType(played, 'vote').map(({ data, refused }) => [(data as { proposalId: string }).proposalId, refused])).toEqual([
    [ids[0], undefined],
    [ids[0], undefined],
    [ids[1], undefined],
    [ids[1], undefined],
  ]);
  expect(ofType(played, 'tally').map(({ data }) => (data as { outcome: string }).outcome)).toEqual(['failed', 'passed']);
});

test('a vote in a script that names another proposal does not count', async () => {
  const replies = { decide_a: [saying('APPROVE', { proposalId: 'decide-9' })], decide_b: [saying('APPROVE')], ...REVISED };
  const votes = ofType(await playFile(FILE, replies), 'vote');
  expect(votes.filter(({ refused }) => refused !== undefined).map(({ from }) => from)).toContain('a');
  expect(votes.filter(({ refused }) => refused === undefined).map(({ from }) => from)).not.toContain('a');
});

test('a reply that is given verbatim has to name the proposal, as that of a model does', async () => {
  const verbatim = { text: JSON.stringify({ vote: 'APPROVE', rationale: 'It is so.' }) };
  const { steps } = await playFile(FILE, { decide_a: [verbatim], decide_b: [saying('APPROVE')], ...REVISED });
  const [a] = [...steps.values()].filter(({ path }) => path.endsWith('/decide_a'));
  expect(a?.failures).toContain('reply.invalid');
});

test('abstentions are votes: one approval of five does not pass, in the first round nor in the second', async () => {
  const five = FILE.replace('c: {role: C.}', 'c: {role: C.}, d: {role: D.}, e: {role: E.}').replace(
    'voters: [a, b]',
    'voters: [a, b, c, d, e]',
  );
  const abstains = Object.fromEntries(['b', 'c', 'd', 'e'].map((voter) => [`decide_${voter}`, [saying('ABSTAIN')]]));
  const played = await playFile(five, { decide_a: [saying('APPROVE')], ...abstains, ...REVISED });
  const tallies = ofType(played, 'tally').map(({ data }) => data as { outcome: string; needed: number });
  expect(tallies.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
});
