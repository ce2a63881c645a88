import { join } from 'node:path';
import { Options } from '../../cli/command';
import { loadConfiguration } from '../../cli/settings/configuration';
import { DEFAULT_QUEUE_SETTINGS } from '../../plan/queue/queue-settings';
import { rulesOf } from '../../worker/queues/queue-rules';
import { writeFiles } from '../support/scratch-folder';
import { mistakesOf } from './settings-mistakes';

function scratch(text: string): string {
  return writeFiles({ 'thermidor.yaml': text });
}

const rules = (folder: string) =>
  loadConfiguration(new Options({}), { cwd: folder, env: {}, home: join(folder, 'home'), platform: 'linux' }).mergeQueues.value;

const ALL = `queues:
  lib:
    repo: lib
    branch: main
    setup: [npm ci, npm run build]
    copy: [./.env, fixtures/]
    test: npm test
    timeout: 90s
    batch: 4
    speculate: 3
    strategy: squash
    min_tests: 10
    format: tap
    restricted: ["**/package-lock.json"]
  shared: {repo: "https://git.example.org/shared.git", test: make test}
`;

test('every key is read; a folder is relative to the file, and a URL is one', () => {
  const folder = scratch(ALL);
  expect(rules(folder)).toEqual([
    {
      repo: join(folder, 'lib'),
      branch: 'main',
      settings: {
        ...{ setup: ['npm ci', 'npm run build'], copy: ['.env', 'fixtures'], test: 'npm test' },
        timeoutMs: 90_000,
        ...{ batch: 4, speculate: 3, strategy: 'squash', minTests: { count: 10, format: 'tap' }, restricted: ['**/package-lock.json'] },
      },
    },
    { repo: 'https://git.example.org/shared.git', settings: { test: 'make test' } },
  ]);
  expect(rules(scratch('user: ann\n'))).toEqual([]);
});

test('a rule for the branch comes before one for every branch, and what it leaves out has its default', () => {
  const repo = '/srv/lib';
  const some = [
    { repo, settings: { test: 'all' } },
    { repo, branch: 'main', settings: { batch: 2 } },
    { repo: 'https://me:secret@git.example.org/lib.git', settings: { test: 'remote' } },
  ];
  const of = (repository: string, branch: string) => rulesOf(some, { repository, branch }, (url) => url.replace(/me:secret@/, ''));
  expect(of(repo, 'main')).toEqual({ ...DEFAULT_QUEUE_SETTINGS, batch: 2 });
  expect(of(repo, 'next')).toEqual({ ...DEFAULT_QUEUE_SETTINGS, test: 'all' });
  expect(of('https://git.example.org/lib.git', 'main').test).toBe('remote');
  expect(of('/srv/other', 'main')).toEqual(DEFAULT_QUEUE_SETTINGS);
});

test.each([
  ['queues: [a]', [1, 9, '"queues" must be a mapping']],
  ['queues: {a: lib}', [1, 13, '"queues.a" must be a mapping']],
  ['queues: {a: {branch: main}}', [1, 10, '"queues.a" lacks "repo"']],
  ['queues: {a: {repo: 7}}', [1, 20, '"queues.a.repo" must be text']],
  ['queues: {a: {repo: ., branches: main}}', [1, 23, '"queues.a" has an unknown key "branches"']],
  ['queues: {a: {repo: ., batch: 0}}', [1, 30, '"queues.a.batch" must be a whole number from 1 to 100']],
  ['queues: {a: {repo: ., speculate: 9}}', [1, 34, '"queues.a.speculate" must be a whole number from 1 to 8']],
  ['queues: {a: {repo: ., strategy: theirs}}', [1, 33, '"queues.a.strategy" must be "merge", "rebase" or "squash"']],
  ['queues: {a: {repo: ., timeout: 5}}', [1, 32, '"queues.a.timeout" must be a duration of a second at least, such as 30m']],
  ['queues: {a: {repo: ., timeout: 10ms}}', [1, 32, '"queues.a.timeout" must be a duration of a second at least, such as 30m']],
  ['queues: {a: {repo: ., restricted: []}}', [1, 35, '"queues.a.restricted" is an empty list']],
  ['queues: {a: {repo: ., setup: [7]}}', [1, 30, '"queues.a.setup" must be text']],
  ['queues: {a: {repo: ., copy: ../x}}', [1, 29, '"queues.a.copy" names "../x", which is not a file or folder within the checkout']],
  ['queues: {a: {repo: ., copy: /etc}}', [1, 29, '"queues.a.copy" names "/etc", which is not a file or folder within the checkout']],
  ['queues: {a: {repo: ., test: t, format: tap}}', [1, 40, '"queues.a.format" needs "min_tests"']],
  ['queues: {a: {repo: ., test: t, min_tests: 3}}', [1, 43, '"queues.a.min_tests" needs "format"']],
  ['queues: {a: {repo: ., min_tests: 3, format: tap}}', [1, 34, '"queues.a.min_tests" needs "test"']],
  ['queues: {a: {repo: ., test: t, min_tests: 3, format: xml}}', [1, 54, '"queues.a.format" must be "tap", "junit", "json" or "line"']],
  ['queues: {a: {repo: ., branch: m}, b: {repo: ., branch: m}}', [1, 35, '"queues.b" is for the same repository and branch as "queues.a"']],
])('%s is a mistake at its place', (text, [line, column, says]) => {
  expect(mistakesOf(text)).toMatchObject([{ place: { line, column }, says }]);
});

test('of several rules every mistake is shown, each with its own name', () => {
  expect(mistakesOf('queues: {a: {branch: m}, b: {repo: .}, c: {repo: .}}').map(({ says }) => says)).toEqual([
    '"queues.a" lacks "repo"',
    '"queues.c" is for the same repository and branch as "queues.b"',
  ]);
});

test.each(['a b', 'HEAD', '@', ''])('a branch that git does not take is said where it is written: %j', (branch) => {
  const folder = scratch(`queues:\n  lib:\n    repo: lib\n    branch: ${JSON.stringify(branch)}\n`);
  expect(() => rules(folder)).toThrow(expect.objectContaining({ message: expect.stringContaining('queues.lib.branch') }));
});
