import { execFileSync } from 'node:child_process';
import { ENVIRONMENT, never, newGit, newRepository, sh } from './scene';

/** A path's entry in a tree: a file's text, a link's target, or a submodule's commit; null if it is removed. */
type Entry = string | { link: string } | { module: string } | null;
type Entries = Readonly<Record<string, Entry>>;

const git = newGit();

/** Commits the base's tree with changes, without a checkout, because a tree may have entries that no file system accepts. */
function commitOf(folder: string, base: string | undefined, changes: Entries): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const lines = Object.entries(changes).map(([path, entry]) => {
    if (entry === null) return `D ${JSON.stringify(path)}\n`;
    if (typeof entry === 'string') return `M 100644 inline ${JSON.stringify(path)}\n${data(entry)}`;
    if ('module' in entry) return `M 160000 ${entry.module} ${JSON.stringify(path)}\n`;
    return `M 120000 inline ${JSON.stringify(path)}\n${data(entry.link)}`;
  });
  const from = base === undefined ? '' : `from ${base}\n`;
  const input = `commit refs/scene/x\nmark :1\ncommitter B <b@example.org> 1690000000 +0200\n${data('x')}${from}${lines.join('')}\nget-mark :1\n`;
  return execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: folder, env: ENVIRONMENT, input }).toString('latin1').trim();
}

async function restricted(base: Entries, changes: Entries, patterns: readonly string[], config: readonly string[] = []): Promise<string[]> {
  const folder = newRepository();
  const from = commitOf(folder, undefined, base);
  const to = commitOf(folder, from, changes);
  // The settings come after the import, which would obey them.
  if (config.length > 0) sh(folder, 'config', ...config);
  const repository = await git.repositories.open(folder, never);
  const found = await git.diffs.restricted(repository, { from, to }, patterns, never);
  return found.map((path) => path.toString('utf8')).sort();
}

const MODULE = { module: '1'.repeat(40) };
const CI = { 'ci/deploy.sh': 'safe', 'src/a.ts': 'a' };
const LINKED = { 'tools/ci/deploy.sh': 'safe', ci: { link: 'tools/ci' }, 'src/a.ts': 'a' };

describe('a path is restricted as it resolves in the tree', () => {
  it.each<[what: string, base: Entries, changes: Entries, patterns: string[], expected: string[]]>([
    [
      'a link in the place of a folder',
      CI,
      { ci: { link: 'evil' }, 'evil/deploy.sh': 'x' },
      ['ci/**'],
      ['ci', 'ci/deploy.sh', 'evil/deploy.sh'],
    ],
    [
      'a link where no folder was',
      { 'src/a.ts': 'a' },
      { ci: { link: 'evil' }, 'evil/deploy.sh': 'x' },
      ['ci/**'],
      ['ci', 'ci/deploy.sh', 'evil/deploy.sh'],
    ],
    ['the same, of a pattern for one file', { 'src/a.ts': 'a' }, { ci: { link: 'evil' } }, ['/ci/deploy.sh'], ['ci']],
    ['the same, by a wildcard', { 'src/a.ts': 'a' }, { 'apps/one': { link: '../evil' } }, ['apps/*/deploy.sh'], ['apps/one']],
    ['the same, of a folder that may be anywhere', { a: 'a' }, { 'x/.github': { link: '../evil' } }, ['**/.github/**'], ['x/.github']],
    ['a link in the place of a folder above', { a: 'a' }, { a: null, x: { link: 'evil' } }, ['x/ci/**'], ['x']],
    ['a link that leads outside', { a: 'a' }, { ci: { link: '/tmp/evil' } }, ['ci/**'], ['ci']],
    ['a link that leads to itself', { a: 'a' }, { ci: { link: 'ci' } }, ['ci/**'], ['ci']],
    ['a link that is led elsewhere', LINKED, { ci: { link: 'evil' } }, ['ci/**'], ['ci']],
    ['a link that is removed', LINKED, { ci: null }, ['ci/**'], ['ci']],
    ['a link in the place of a file', CI, { 'ci/deploy.sh': { link: '../evil' } }, ['ci/**'], ['ci/deploy.sh']],
    ['a submodule in the place of a folder', { a: 'a' }, { ci: MODULE }, ['ci/**'], ['ci']],
    ['a submodule that changes', { ci: MODULE }, { ci: { module: '2'.repeat(40) } }, ['ci/deploy.sh'], ['ci']],
    ['a submodule that goes', { ci: MODULE, a: 'a' }, { ci: null }, ['ci/**'], ['ci']],
    ['a folder that is renamed', CI, { ci: null, 'ci2/deploy.sh': 'safe' }, ['ci/**'], ['ci/deploy.sh']],
    ['a folder that is removed', CI, { ci: null }, ['ci/**'], ['ci/deploy.sh']],
    ['a folder that is a file now', CI, { ci: 'x' }, ['ci/**'], ['ci/deploy.sh']],
    ['what lies behind a link', LINKED, { 'tools/ci/deploy.sh': 'x' }, ['ci/**'], ['ci/deploy.sh', 'tools/ci/deploy.sh']],
    ['what is removed behind a link', LINKED, { tools: null }, ['ci/**'], ['ci/deploy.sh', 'tools/ci/deploy.sh']],
    ['a file that a link leads to', { conf: { link: 'x/y' }, 'x/y': '1' }, { 'x/y': '2' }, ['/conf'], ['conf', 'x/y']],
    ['a link on a link’s way', { ci: { link: 'x/sub' }, x: { link: 'tools' } }, { x: { link: 'evil' } }, ['ci/**'], ['ci', 'x']],
    [
      'what lies behind two links',
      { ci: { link: 'x/sub' }, x: { link: './tools/' }, 'tools/sub/a': '1' },
      { 'tools/sub/a': '2' },
      ['ci/**'],
      ['ci/a', 'tools/sub/a'],
    ],
    [
      'what lies behind a link behind a link',
      { ci: { link: 'tools' }, 'tools/in': { link: '../deep' }, 'deep/a': '1' },
      { 'deep/a': '2' },
      ['ci/in/*'],
      ['ci/in/a', 'deep/a'],
    ],
    ['a new link behind a link', LINKED, { 'tools/ci/in': { link: '../../src' } }, ['ci/in/a.ts'], ['ci/in', 'tools/ci/in']],
    ['a new link into a folder', CI, { 'src/x': { link: '../ci' } }, ['ci/**'], ['src/x']],
    ['two new links into a folder', CI, { x: { link: 'ci' }, y: { link: 'ci' } }, ['ci/**'], ['x', 'y']],
    ['a new link to a file', CI, { x: { link: 'ci/deploy.sh' } }, ['ci/**'], ['x']],
    ['what a pattern lifts', LINKED, { 'tools/ci/deploy.sh': 'x' }, ['ci/**', '!ci/deploy.sh'], []],
    ['a link that a pattern lifts', { a: 'a' }, { ci: { link: 'evil' } }, ['ci/**', '!ci'], []],
    ['a new link elsewhere', CI, { 'src/x': { link: 'a.ts' }, y: { link: 'src' } }, ['ci/**', '**/package.json'], []],
    ['a link to a folder that has some of it', { 'src/index.js': '1' }, { lib: { link: 'src' } }, ['**/index.js'], []],
    ['another file behind a link', LINKED, { 'tools/x': 'x' }, ['ci/**'], []],
    ['what differs by letters alone, where they count', CI, { 'CI/deploy.sh': 'x', Ci: { link: 'evil' } }, ['ci/**'], []],
  ])('%s', async (_, base, changes, patterns, expected) => {
    expect(await restricted(base, changes, patterns)).toEqual(expected);
  });

  it.each<[what: string, base: Entries, changes: Entries, patterns: string[], expected: string[]]>([
    ['a file', CI, { 'CI/deploy.sh': 'x' }, ['ci/**'], ['CI/deploy.sh']],
    ['a link', { a: 'a' }, { Ci: { link: 'evil' } }, ['ci/**'], ['Ci']],
    ['what lies behind a link', LINKED, { 'Tools/CI/x': 'x' }, ['ci/**'], ['Tools/CI/x', 'ci/x']],
    ['what a pattern lifts', CI, { 'CI/deploy.sh': 'x' }, ['ci/**', '!ci/Deploy.sh'], []],
  ])('where git does not count upper and lower case: %s', async (_, base, changes, patterns, expected) => {
    expect(await restricted(base, changes, patterns, ['core.ignoreCase', 'true'])).toEqual(expected);
  });

  it('links that lead in circles end, and are to blame if their names cannot be counted', async () => {
    const loops = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`l${n}`, { link: '.' }]));
    const one = { 'a/loop': { link: '..' }, 'a/f': '1', 'ci/x': '1' };
    expect(await restricted(one, { 'a/f': '2' }, ['ci/**'])).toEqual([]);
    expect(await restricted({ ...loops, f: '1' }, { f: '2' }, ['ci/**'])).toEqual(Object.keys(loops).sort());
  });
});
