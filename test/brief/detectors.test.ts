import { findBannedPhrases, findBlocked, findDestruction, saysComplete } from '../../plan/brief/detectors';

/** What is found in the words of a role, and what is not. */

describe('blocked', () => {
  test.each([
    ['## Phase 2: no key\n\nThe key is missing.', '## Phase 2: no key'],
    ['**Blocker:** the database does not answer', '**Blocker:** the database does not answer'],
    ['I have tried three ways. I cannot proceed without the key.', 'I cannot proceed without the key.'],
    ['I’m stuck: there are two schemas.', 'I’m stuck: there are two schemas.'],
    ['Stopping until there is a key.', 'Stopping until there is a key.'],
    ['Two ways are left: waiting on your call.', 'Two ways are left: waiting on your call.'],
    ['It fails.\nI need your decision on the schema', 'I need your decision on the schema'],
  ])('%j', (text, sentence) => {
    expect(findBlocked(text)).toBe(sentence);
  });

  test.each([
    'Step 2 is done. I continue with step 3.',
    'If I cannot proceed, I will say so.',
    'I am not blocked.',
    'I was blocked by the lock file, and have removed it.',
    'The request is blocked by the firewall.',
    '```\nI am blocked at line 12\n```\nThe log is fine.',
    '> I am blocked\n\nis what the log says.',
    'The program prints "I cannot continue" in the end.',
    'It prints `I am blocked`.',
    '',
  ])('not: %j', (text) => {
    expect(findBlocked(text)).toBeUndefined();
  });
});

describe('destruction', () => {
  test.each([
    ['I will delete the old database.', 'filesystem_delete'],
    ["I'll remove all of the temporary folders.", 'filesystem_delete'],
    ['Let me rm -rf build now.', 'filesystem_delete'],
    ["Next I'll force-push the rebased branch.", 'git_push'],
    ['I am going to push the commits to origin.', 'git_push'],
    ['I am about to git reset --hard.', 'git_write'],
    ['I will kill the old server.', 'shell_exec'],
    ['Then I will deploy it to production.', 'deploy'],
    ['I intend to send the report to all customers.', 'external_message'],
    ['I plan to buy more credits.', 'paid_api_call'],
    ['I will delete the database, not the backups.', 'filesystem_delete'],
  ])('%j', (sentence, category) => {
    expect(findDestruction(`I have read it all.\n${sentence}`)).toEqual([{ category, sentence }]);
  });

  test('one for each category, the first', () => {
    const text = 'I will delete the files. I will delete the folder. I will deploy to staging.';
    expect(findDestruction(text).map(({ category }) => category)).toEqual(['filesystem_delete', 'deploy']);
  });

  test.each([
    'I will not delete the database.',
    "I won't force-push.",
    'I will do it without deleting a file: I rename the folder.',
    'I will rename it instead of deleting the file.',
    'Deleting the database is risky.',
    'The script deletes the folder.',
    'I have removed the file.',
    'I will remove the line from the file.',
    'I will remove unused imports.',
    'I will write the tests.',
    '```sh\n# I will delete the database\n```',
    'The page says: "I will delete the database".',
  ])('not: %j', (text) => {
    expect(findDestruction(text)).toEqual([]);
  });
});

test.each<[string, boolean]>([
  ['## Phase 4: report', true],
  ['All deliverables are in place.', true],
  ['The brief is complete.', true],
  ['Done: the whole brief is complete.', true],
  ['All deliverables shipped.', true],
  ['## Completion report', true],
  ['The brief is not complete.', false],
  ['Step 2 of 5 is done.', false],
  ['```\nThe brief is complete\n```', false],
])('complete: %j is %p', (text, isComplete) => {
  expect(saysComplete(text)).toBe(isComplete);
});

test('banned phrases are counted, outside of code', () => {
  const text = 'Certainly! I leverage the cache, and  leverage it again. Let me know if it helps.\n```\nleverage\n```\n`certainly`';
  expect(Object.fromEntries(findBannedPhrases(text))).toEqual({ certainly: 1, leverage: 2, 'let me know if': 1 });
  expect(findBannedPhrases('I have run the tests. They pass.').size).toBe(0);
});

test.each([
  ['words', 'I will delete '.repeat(100_000)],
  ['spaces', `I will delete${' '.repeat(1_000_000)}x`],
  ['backticks', '`'.repeat(1_000_000)],
  ['quotes', '"a'.repeat(500_000)],
  ['open quotes', '“a'.repeat(500_000)],
  ['sentences', 'I will. '.repeat(100_000)],
])('a long text of %s is searched in one pass', (_, text) => {
  expect([findBlocked(text), findDestruction(text), saysComplete(text), findBannedPhrases(text).size]).toEqual([undefined, [], false, 0]);
});
