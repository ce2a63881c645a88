import { chmodSync, cpSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worktree } from '../../activities/git-model';
import { commitOn, never, newRepository, problemOf, type Scene, SIGNATURE, scene, scratchFolder, sh, shBytes, texts, write } from './scene';

const worktreeOf = async ({ git, repository, head }: Scene): Promise<Worktree> =>
  await git.worktrees.add(repository, { path: join(scratchFolder(), 'w'), commit: head, branch: 'work' }, never);
const ODD = Buffer.from([0x6f, 0xff, 0x0a, 0x22, 0x27, 0x20]);
const request = { message: 'Work\n\n# not a comment\n', signature: SIGNATURE };

describe('a commit of all there is', () => {
  it('has names of any bytes, links, modes, case-only renames and what is gone, and is the same when made again', async () => {
    const here = await scene({ 'a.txt': 'a\n', 'Case.txt': 'case\n', 'gone.txt': 'x', '.gitignore': 'secret\n' });
    const one = await worktreeOf(here);
    writeFileSync(Buffer.concat([Buffer.from(`${one.path}/`), ODD]), 'odd');
    write(one.path, { '-rf': 'option', ':(glob)*': 'magic', secret: 'ignored', 'two\nlines': '2' });
    renameSync(join(one.path, 'Case.txt'), join(one.path, 'case.txt'));
    chmodSync(join(one.path, 'a.txt'), 0o755);
    symlinkSync('a.txt', join(one.path, 'link'));
    rmSync(join(one.path, 'gone.txt'));
    const made = await here.git.commits.commitAll(one, request, never);
    expect(made).toEqual({ kind: 'committed', commit: sh(here.folder, 'rev-parse', 'work') });
    const changed = await here.git.diffs.changed(here.repository, { from: here.head, to: made.commit }, never);
    expect(changed.map(({ path, change, mode }) => [path.toString('latin1'), change, mode])).toEqual([
      ['-rf', 'added', '100644'],
      [':(glob)*', 'added', '100644'],
      ['Case.txt', 'deleted', '000000'],
      ['a.txt', 'modified', '100755'],
      ['case.txt', 'added', '100644'],
      ['gone.txt', 'deleted', '000000'],
      ['link', 'added', '120000'],
      [ODD.toString('latin1'), 'added', '100644'],
      ['two\nlines', 'added', '100644'],
    ]);
    expect(sh(here.folder, 'log', '-1', '--format=%an %ae %at %cn %ct%n%B', made.commit)).toBe(
      'Ada ada@example.org 1700000000 Ada 1700000000\nWork\n\n# not a comment\n',
    );
    expect(await here.git.commits.commitAll(one, request, never)).toEqual({ kind: 'unchanged', commit: made.commit });
    sh(one.path, 'reset', '--quiet', '--soft', here.head);
    expect(await here.git.commits.commitAll(one, request, never)).toEqual(made);
  });

  it('is empty if that is asked for, and has both parents of a merge that was resolved', async () => {
    const here = await scene();
    const one = await worktreeOf(here);
    const empty = await here.git.commits.commitAll(one, { ...request, allowEmpty: true }, never);
    expect(empty.kind).toBe('committed');
    expect(await here.git.commits.treeOf(here.repository, empty.commit, never)).toBe(sh(here.folder, 'rev-parse', `${here.head}^{tree}`));
    const other = commitOn(here.folder, here.head, { 'a.txt': 'other\n' });
    await here.git.commits.commitAll(one, request, never);
    write(one.path, { 'a.txt': 'mine\n' });
    await here.git.commits.commitAll(one, request, never);
    expect(() => sh(one.path, 'merge', '--quiet', other)).toThrow();
    write(one.path, { 'a.txt': 'both\n' });
    sh(one.path, 'add', 'a.txt');
    const merged = await here.git.commits.commitAll(one, request, never);
    expect(sh(here.folder, 'log', '-1', '--format=%P', merged.commit).split(' ')).toContain(other);
  });

  it.each([
    ['another branch', ['checkout', '--quiet', 'persons'], true],
    ['no branch', ['checkout', '--quiet', '--detach', 'persons'], true],
    ['a branch without commits', ['checkout', '--quiet', '--orphan', 'new'], false],
  ] as const)(
    'goes to the branch that it is to go to, on top of what HEAD has, where the worktree is on %s',
    async (_, switched, moved) => {
      const { git, repository, folder, head } = await scene({ 'a.txt': 'a\n' });
      const theirs = commitOn(folder, head, { theirs: '1' });
      sh(folder, 'branch', 'persons', theirs);
      const one = await git.worktrees.add(repository, { path: join(scratchFolder(), 'w'), commit: head, branch: 'ours' }, never);
      sh(one.path, ...switched);
      write(one.path, { 'b.txt': 'b' });
      const { commit: made } = await git.commits.commitAll(one, { message: 'work', signature: SIGNATURE, branch: 'ours' }, never);
      expect(sh(one.path, 'symbolic-ref', '--short', 'HEAD')).toBe('ours');
      expect(sh(folder, 'rev-parse', 'ours', 'persons', 'ours^')).toBe(`${made}\n${theirs}\n${moved ? theirs : head}`);
      expect(sh(one.path, 'ls-files')).toBe(moved ? 'a.txt\nb.txt\ntheirs' : 'a.txt\nb.txt');
    },
  );

  it('never has a repository within the worktree in the place of its files', async () => {
    const here = await scene();
    const one = await worktreeOf(here);
    newRepository({ 'lost.txt': 'x' }, join(one.path, 'vendored'));
    expect(await problemOf(here.git.commits.commitAll(one, request, never))).toBe('repository.unusable/embedded-repository');
    expect(sh(here.folder, 'rev-parse', 'work')).toBe(here.head);
    expect(sh(one.path, 'diff', '--cached', '--name-only')).toBe('');
  });
});

describe('histories', () => {
  it('are related, or not', async () => {
    const { git, repository, folder, head } = await scene();
    const { isAncestor, fork, between } = git.commits;
    const [left, right] = [commitOn(folder, head, { b: '1' }), commitOn(folder, head, { c: '1' })];
    const next = commitOn(folder, left, { d: '1' });
    const root = sh(folder, 'commit-tree', '-m', 'root', `${head}^{tree}`);
    expect(await isAncestor(repository, head, next, never)).toBe(true);
    expect(await isAncestor(repository, next, head, never)).toBe(false);
    expect(await isAncestor(repository, left, right, never)).toBe(false);
    expect(await fork(repository, next, right, never)).toEqual({ tree: sh(folder, 'rev-parse', `${next}^{tree}`), bases: [head] });
    expect((await fork(repository, next, root, never)).bases).toEqual([]);
    const crossed = (first: string, second: string) => sh(folder, 'commit-tree', '-m', 'x', '-p', first, '-p', second, `${head}^{tree}`);
    const { bases: met } = await fork(repository, crossed(left, right), crossed(right, left), never);
    expect([...met].sort()).toEqual([left, right].sort());
    expect(await between(repository, { from: head, to: next, limit: 10 }, never)).toEqual([left, next]);
    expect(await between(repository, { from: head, to: next, limit: 1 }, never)).toEqual([next]);
    expect(await between(repository, { from: next, to: head, limit: 10 }, never)).toEqual([]);
    expect(await problemOf(isAncestor(repository, '0'.repeat(40), head, never))).toMatch(/^(git\.failed|repository\.unusable)/);
  });

  it('fail with the exit code and the words of git', async () => {
    const { git, repository } = await scene();
    const asked = git.commits.treeOf(repository, '1'.repeat(40), never);
    await expect(asked).rejects.toMatchObject({
      code: 'git.failed',
      details: { exitCode: 128, stderr: expect.stringContaining('fatal: ') },
    });
  });

  it('are what the commits say, whatever is put in their place', async () => {
    const { git, repository, folder, head } = await scene();
    const root = sh(folder, 'commit-tree', '-m', 'root', `${head}^{tree}`);
    const forged = sh(folder, 'commit-tree', '-m', 'root', '-p', head, `${head}^{tree}`);
    sh(folder, 'replace', root, forged);
    expect(sh(folder, 'merge-base', root, head)).toBe(head);
    expect(await git.commits.isAncestor(repository, head, root, never)).toBe(false);
    sh(folder, 'replace', '-d', root);
    write(folder, { '.git/info/grafts': `${root} ${head}\n` });
    expect(sh(folder, 'merge-base', root, head)).toBe(head);
    expect(await git.commits.isAncestor(repository, head, root, never)).toBe(false);
  });
});

describe('a diff', () => {
  /** Made once, because the tests only read it. One test makes its own. */
  const makeChanges = async () => {
    const here = await scene({
      'pkg/__init__.py': '',
      'pkg/a.py': '1\n2\n',
      'package-lock.json': '{}',
      'data.bin': 'a\0b',
      'docs/x/y.md': 'y\n',
    });
    const to = commitOn(here.folder, here.head, {
      'pkg/__init__.py': 'x\n',
      'pkg/a.py': '1\n3\n4\n',
      'deep/package-lock.json': '{}',
      'data.bin': 'a\0c',
      'docs/x/y.md': 'z\n',
    });
    return { ...here, range: { from: here.head, to } };
  };
  let made: ReturnType<typeof makeChanges> | undefined;
  const changes = () => {
    made ??= makeChanges();
    return made;
  };

  it('counts lines, and none of binary content', async () => {
    const { git, repository, range } = await changes();
    expect((await git.diffs.stat(repository, range, never)).map(({ path, lines }) => [String(path), lines])).toEqual([
      ['data.bin', undefined],
      ['deep/package-lock.json', { added: 1, deleted: 0 }],
      ['docs/x/y.md', { added: 1, deleted: 1 }],
      ['pkg/__init__.py', { added: 1, deleted: 0 }],
      ['pkg/a.py', { added: 2, deleted: 1 }],
    ]);
  });

  it('is a patch that git applies to the byte, and no longer than the limit', async () => {
    const { git, repository, folder, range } = await makeChanges();
    sh(folder, 'config', 'diff.external', 'false');
    sh(folder, 'config', 'diff.noprefix', 'true');
    sh(folder, 'config', 'color.ui', 'always');
    const patch = await git.diffs.patch(repository, range, 100_000, never);
    const file = join(scratchFolder(), 'patch');
    writeFileSync(file, patch);
    sh(folder, 'update-index', '-q', '--refresh');
    sh(folder, 'apply', '--index', file);
    expect(sh(folder, 'write-tree')).toBe(sh(folder, 'rev-parse', `${range.to}^{tree}`));
    await expect(git.diffs.patch(repository, range, 10, never)).rejects.toMatchObject({ code: 'output.too-large' });
  });

  it.each([
    [['__init__.py'], ['pkg/__init__.py']],
    [['package-lock.json'], ['deep/package-lock.json']],
    [['/package-lock.json'], []],
    [['pkg/**'], ['pkg/__init__.py', 'pkg/a.py']],
    [['docs'], ['docs/x/y.md']],
    [['x/'], ['docs/x/y.md']],
    [['docs/x/'], ['docs/x/y.md']],
    [['/x'], []],
    [
      ['*.md', 'data.*'],
      ['data.bin', 'docs/x/y.md'],
    ],
    [['pkg/*/x'], []],
    [[':(exclude)pkg'], []],
    [
      ['*.md', '!docs/x/y.md', 'pkg/*.py'],
      ['pkg/__init__.py', 'pkg/a.py'],
    ],
    [['pkg/*.py', '!pkg/a.py'], ['pkg/__init__.py']],
    [['pkg/*.py', '!pkg', 'a.py'], ['pkg/a.py']],
    [['!docs'], []],
    [[...Array.from({ length: 6000 }, (_, i) => `/no/such/folder/of/file-${i}`), 'docs'], ['docs/x/y.md']],
    [['/pkg/\\a.py', '/pkg/[a].py', '/pkg/\\[a].py'], ['pkg/a.py']],
    [['--output=/tmp/no'], []],
    [[], []],
  ])('has the restricted paths of %j', async (patterns, expected) => {
    const { git, repository, range } = await changes();
    expect(texts(await git.diffs.restricted(repository, range, patterns, never))).toEqual(expected);
  });

  it('finds a restricted file that was renamed away, removed or changed only in its mode', async () => {
    const here = await scene({ 'index.ts': 'export {};\n'.repeat(20), 'run.sh': 'x', 'tests/a.test.ts': '1' });
    const one = await worktreeOf(here);
    renameSync(join(one.path, 'index.ts'), join(one.path, 'main.ts'));
    chmodSync(join(one.path, 'run.sh'), 0o755);
    rmSync(join(one.path, 'tests'), { recursive: true });
    const { commit: to } = await here.git.commits.commitAll(one, request, never);
    const range = { from: here.head, to };
    const found = await here.git.diffs.restricted(here.repository, range, ['index.*', 'run.sh', 'tests/**'], never);
    expect(texts(found)).toEqual(['index.ts', 'run.sh', 'tests/a.test.ts']);
  });

  it.each(['', '/', '../x', 'a/../b', '!'])('knows no pattern %j', async (pattern) => {
    const { git, repository, range } = await changes();
    expect(await problemOf(git.diffs.restricted(repository, range, [pattern], never))).toBe('repository.unusable/invalid-path');
  });
});

test('names that are not UTF-8 arrive as git has them', async () => {
  const here = await scene();
  const one = await worktreeOf(here);
  writeFileSync(Buffer.concat([Buffer.from(`${one.path}/`), ODD]), 'odd');
  const { commit: to } = await here.git.commits.commitAll(one, request, never);
  const [changed] = await here.git.diffs.changed(here.repository, { from: here.head, to }, never);
  expect(changed?.path).toEqual(ODD);
  expect(shBytes(here.folder, 'ls-tree', '-z', '--name-only', to).includes(ODD)).toBe(true);
  expect(readFileSync(Buffer.concat([Buffer.from(`${one.path}/`), ODD]), 'utf8')).toBe('odd');
});

describe('a fetch that was killed', () => {
  /** A repository with one object after the other of the source's commit, as git unpacks them: the commit first. */
  async function afterObjects(count: number) {
    const { git, folder, repository, head } = await scene({ 'a.txt': 'a\n', 'b/c.txt': 'c\n' });
    const ours = join(scratchFolder(), 'ours.git');
    sh(folder, 'init', '--quiet', '--bare', ours);
    const ids = sh(folder, 'rev-list', '--objects', '--no-object-names', head).split('\n');
    for (const id of ids.slice(0, count)) {
      const place = join('objects', id.slice(0, 2), id.slice(2));
      cpSync(join(folder, '.git', place), join(ours, place));
    }
    return { git, head, source: repository, clone: await git.repositories.open(ours, never), whole: ids.length };
  }

  it.each([1, 2, 3, 4])('leaves a commit that counts as lacking, after %i objects, until it is fetched again', async (count) => {
    const { git, head, source, clone, whole } = await afterObjects(count);
    expect(count).toBeLessThan(whole);
    expect(await git.commits.missing(clone, [head], never)).toEqual([]);
    expect(await git.commits.lacking(clone, [head], never)).toEqual([head]);
    await git.transfers.bring(source, clone, { commits: [head], tags: false }, never);
    expect(await git.commits.lacking(clone, [head], never)).toEqual([]);
    expect(sh(clone.gitDir, 'fsck', '--connectivity-only')).toBe('');
  });

  it('differs from a commit that is whole without a ref, and from one that is not there', async () => {
    const { git, head, clone, whole } = await afterObjects(5);
    expect(whole).toBe(5);
    const gone = 'a'.repeat(40);
    expect(await git.commits.lacking(clone, [head, gone], never)).toEqual([gone]);
  });
});
