import { newTally, noteFailure, reportOf } from '../../activities/test-reports/tally';
import { valuesOfProposal } from '../../kinds/consensus/rules/proposal';
import { reviewFindings } from '../../plan/patterns/review-findings';
import { verdictOf } from '../../plan/steps/verdict';
import type { Json } from '../../plan/text/json';
import { beginning, cutAfter, ending, shortened } from '../../plan/text/shortened';

/** Half a surrogate pair is no character: in a file or a message it becomes U+FFFD, and a database may refuse it. */

test.each<[cut: (text: string, most: number) => string, cuts: string[]]>([
  [beginning, ['', 'a', 'a', 'a🐢', 'a🐢b', 'a🐢b']],
  [ending, ['', 'b', 'b', '🐢b', 'a🐢b', 'a🐢b']],
  [cutAfter, ['…', 'a…', 'a…', 'a🐢…', 'a🐢b', 'a🐢b']],
])('%p halves no character', (cut, cuts) => {
  expect([0, 1, 2, 3, 4, 5].map((most) => cut('a🐢b', most))).toEqual(cuts);
});

test('a text that is shortened has room for its ellipsis', () => {
  expect([1, 2, 3, 4].map((most) => shortened('a🐢b', most))).toEqual(['…', 'a…', 'a…', 'a🐢b']);
});

const TURTLES = '🐢'.repeat(20_000);

/** One of the two texts is cut within a character if anything cuts at UTF-16 units. */
test.each<[string, (text: string) => unknown]>([
  ['a verdict', (summary) => verdictOf({ verdict: 'fail', summary })],
  [
    'the findings of a review',
    (description) => reviewFindings({ verdict: 'fail', findings: [{ severity: 'major', description }] } as Json),
  ],
  ['a proposal', (title) => valuesOfProposal({ title } as Parameters<typeof valuesOfProposal>[0])],
  [
    'a failing test',
    (text) => {
      const tally = newTally();
      noteFailure(tally, text, text);
      return reportOf(tally, (said) => said);
    },
  ],
])('%s is cut between characters', (_, read) => {
  for (const text of [TURTLES, `a${TURTLES}`]) {
    const said = JSON.stringify(read(text));
    expect(said).toContain('🐢');
    // JSON writes half a character as its escape.
    expect(said).not.toMatch(/\\ud[89a-f]/);
  }
});
