import { spawnSync } from 'node:child_process';
import { pathText } from '../../activities/adapters/git/listings';
import { branchRef, checkedPrefix, checkedRevision, checkedUrl, urlIdentity } from '../../activities/adapters/git/names';
import { runBranch, runRef, runRefs } from '../../plan/run/run-ref';
import { isRefName } from '../../plan/text/ref-name';

const NAMES = [
  ...['refs/heads/main', 'refs/thermidor/run-1/task/2', 'refs/heads/ä', 'refs/heads/a.b', 'refs/heads/@', 'refs/heads/-x', 'refs/a'],
  ...[
    'refs/heads/',
    'refs//a',
    'refs/heads/.a',
    'refs/heads/a.lock',
    'refs/heads/a.lock/b',
    'refs/heads/a..b',
    'refs/heads/a.',
    'refs/heads/a@{1}',
  ],
  ...[
    'refs/heads/a b',
    'refs/heads/a~1',
    'refs/heads/a^',
    'refs/heads/a:b',
    'refs/heads/a?',
    'refs/heads/*',
    'refs/heads/[',
    'refs/heads/a\\b',
  ],
  ...['refs/heads/a\n', 'refs/heads/a\u007f', 'refs/heads/a\u0001'],
];

test.each(NAMES)('%j is the name of a ref if git says so', (name) => {
  expect(isRefName(name)).toBe(spawnSync('git', ['check-ref-format', name]).status === 0);
});

test.each(['main', 'HEAD', '-x', 'a..b', '', '--upload-pack=x', 'HEAD~2', '@{-1}', 'main\n'])(
  'nothing else than a name is taken for one: %j',
  (text) => {
    expect(isRefName(text)).toBe(false);
    expect(() => checkedPrefix(text)).toThrow();
  },
);

test.each(['', '-x', '--output=/tmp/no', 'a\nb'])('the revision %j is refused', (revision) => {
  expect(() => checkedRevision(revision)).toThrow();
});

test.each(['-D', 'HEAD', '', 'a b', 'a.lock'])('the branch %j is refused', (branch) => {
  expect(() => branchRef(branch)).toThrow();
});

test.each([
  'ext::sh -c touch% /tmp/no',
  'fd::17',
  '-u',
  '--upload-pack=touch /tmp/no',
  'ssh://-oProxyCommand=touch/x',
  'ssh://user@-oProxyCommand=x/y',
  'git://example.org/a',
  'ftp://example.org/a',
  'relative/path',
  './here',
  'https://example.org/a\nb',
  '-oProxyCommand=x:path',
  '',
])('the URL %j is refused', (url) => {
  expect(() => checkedUrl(url)).toThrow(expect.objectContaining({ code: 'repository.unusable' }));
});

test.each([
  ['/srv/git/a.git', '/srv/git/a.git'],
  ['file:///srv/git/a.git/', 'file:///srv/git/a.git'],
  ['https://user:secret@Example.org/Team/a.git/', 'https://example.org/Team/a.git'],
  ['https://token@example.org:8443/a', 'https://example.org:8443/a'],
  ['ssh://git:x@Example.org/a', 'ssh://git@example.org/a'],
  ['git@example.org:team/a.git', 'git@example.org:team/a.git'],
])('%s is the repository %s', (url, identity) => {
  expect(urlIdentity(url)).toBe(identity);
});

test('what is refused is shown without its password', () => {
  expect(() => checkedUrl('ftp://user:secret@example.org')).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('secret') }),
  );
});

test.each([
  ['plain', 'plain'],
  ['sub/ä.txt', 'sub/ä.txt'],
  ['a\nb', '"a\\nb"'],
  ['say "hi"', '"say \\"hi\\""'],
  ['back\\slash', '"back\\\\slash"'],
  ['ä\t', '"ä\\t"'],
  ['\u0001', '"\\001"'],
  [Buffer.from([0x61, 0xff, 0x0a]), '"a\\377\\n"'],
  [Buffer.from([0xff]), '"\\377"'],
  ['\u0085', '"\u0085"'],
])('the path %j is shown as %s, and read again', (path, text) => {
  const bytes = Buffer.from(path);
  expect(pathText(bytes)).toBe(text);
  expect(pathBytes(text)).toEqual(bytes);
});

const LETTERS = new Map(Object.entries({ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }));

/** The inverse of `pathText`. */
function pathBytes(text: string): Buffer {
  if (!(text.length > 1 && text.startsWith('"') && text.endsWith('"'))) return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text.slice(1, -1), 'utf8').toString('latin1');
  const plain = bytes.replace(/\\(?:([0-7]{3})|(.))/gs, (_, octal: string | undefined, letter: string) =>
    String.fromCharCode(octal === undefined ? (LETTERS.get(letter) ?? letter.charCodeAt(0)) : Number.parseInt(octal, 8)),
  );
  return Buffer.from(plain, 'latin1');
}

test('every byte survives being shown', () => {
  const all = Buffer.from(Array.from({ length: 255 }, (_, n) => n + 1));
  expect(pathBytes(pathText(all))).toEqual(all);
  for (const byte of all) expect(pathBytes(pathText(Buffer.from([0x61, byte, 0x62])))).toEqual(Buffer.from([0x61, byte, 0x62]));
});

const PARTS = ['run-1', 'a/b', '..', '.hidden', 'x.lock', 'é', 'a b~1^2:3?[*\\', '@{1}', '-d', '%2E', '', "it's (1)!", 'line\nend'];

test('a ref of a run is one that git takes, whatever its run and task are called, and no other’s', () => {
  const refs = PARTS.flatMap((run) => PARTS.map((task) => runRef(run, task, 2)));
  expect(new Set(refs).size).toBe(PARTS.length ** 2);
  for (const part of PARTS) expect(spawnSync('git', ['check-ref-format', runRef(part, part, 1)]).status).toBe(0);
  expect(refs.filter((ref) => !isRefName(ref))).toEqual([]);
  expect(runRef('run-1', 'build/a', 3)).toBe('refs/thermidor/run-1/build%2Fa/3');
  expect(() => checkedPrefix(runRefs('..'))).not.toThrow();
  const branches = PARTS.flatMap((run) => PARTS.flatMap((task) => [1, 2].map((attempt) => runBranch(run, task, attempt))));
  expect(new Set(branches).size).toBe(2 * PARTS.length ** 2);
  for (const branch of branches.slice(0, 20)) expect(spawnSync('git', ['check-ref-format', '--branch', branch]).status).toBe(0);
  for (const length of [199, 200, 201, 400, 999]) {
    const long = [runRef('r', 'a'.repeat(length), 1), runRef('r', `${'a'.repeat(length)}1`, 1)];
    expect(long.flatMap((ref) => ref.split('/')).filter((part) => part.length > 201)).toEqual([]);
    // Neither ref is a folder of the other's path.
    expect(long.filter((ref, n) => `${long[1 - n]}/`.startsWith(`${ref}/`))).toEqual([]);
    expect(long.filter((ref) => !isRefName(ref))).toEqual([]);
  }
  // Git resolves `x` as `refs/x` before it looks for a branch.
  expect(refs.filter((ref) => branches.some((branch) => ref === `refs/${branch}`))).toEqual([]);
});
