import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { commit, never, problemOf, type Scene, scene, scratchFolder, sh, write } from './scene';

const added = async (of: Scene, branch?: string) => {
  const path = join(scratchFolder(), 'deep/w');
  return await of.git.worktrees.add(of.repository, { path, commit: of.head, ...(branch === undefined ? {} : { branch }) }, never);
};

describe('a worktree', () => {
  it('has the commit, on its own branch or on none, and is listed after the checkout', async () => {
    const here = await scene({ 'a.txt': 'a\n', 'deep/b.txt': 'b\n' });
    const [one, other] = [await added(here, 'thermidor/one'), await added(here)];
    expect(readFileSync(join(one.path, 'deep/b.txt'), 'utf8')).toBe('b\n');
    const [first, ...rest] = await here.git.worktrees.list(here.repository, never);
    expect(first).toEqual({ path: Buffer.from(here.folder), head: here.head, branch: 'main' });
    expect(rest.sort((a, b) => (a.branch ?? 'z').localeCompare(b.branch ?? 'z'))).toEqual([
      { path: Buffer.from(one.path), head: here.head, branch: 'thermidor/one' },
      { path: Buffer.from(other.path), head: here.head },
    ]);
    expect(await here.git.worktrees.open(here.repository, one.path, never)).toEqual(one);
  });

  it('is refused if the folder is taken, and if another has the branch', async () => {
    const here = await scene();
    const { worktrees } = here.git;
    const taken = scratchFolder();
    write(taken, { x: '1' });
    expect(await problemOf(worktrees.add(here.repository, { path: taken, commit: here.head }, never))).toBe(
      'repository.unusable/path-taken',
    );
    const path = join(scratchFolder(), 'w');
    expect(await problemOf(worktrees.add(here.repository, { path, commit: here.head, branch: 'main' }, never))).toBe(
      'repository.unusable/branch-taken',
    );
    expect(await problemOf(worktrees.add(here.repository, { path, commit: 'HEAD' }, never))).toBe('repository.unusable/invalid-name');
    expect(await problemOf(worktrees.add(here.repository, { path, commit: here.head, branch: '-D' }, never))).toBe(
      'repository.unusable/invalid-name',
    );
    expect(existsSync(path)).toBe(false);
  });

  it('is added once by two calls one after the other, and made again if the first was killed', async () => {
    const here = await scene({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const at = { path: join(scratchFolder(), 'w'), commit: here.head, branch: 'one' };
    const one = await here.git.worktrees.add(here.repository, at, never);
    write(one.path, { mine: '1' });
    expect(await here.git.worktrees.add(here.repository, at, never)).toEqual(one);
    expect(existsSync(join(one.path, 'mine'))).toBe(true);
    expect(await problemOf(here.git.worktrees.add(here.repository, { ...at, branch: 'two' }, never))).toBe(
      'repository.unusable/path-taken',
    );
    // The state after a kill -9: git's own mark, and missing files.
    writeFileSync(join(one.gitDir, 'locked'), 'initializing\n');
    rmSync(join(one.path, 'b.txt'));
    const again = await here.git.worktrees.add(here.repository, at, never);
    expect([sh(again.path, 'status', '--porcelain'), existsSync(join(again.path, 'mine'))]).toEqual(['', false]);
    expect((await here.git.worktrees.list(here.repository, never))[1]).toEqual({
      path: Buffer.from(at.path),
      head: here.head,
      branch: 'one',
    });
  });

  it('is removed with everything in it, once or twice, and never is the checkout or another folder', async () => {
    const here = await scene();
    const { worktrees } = here.git;
    const one = await added(here, 'one');
    write(one.path, { 'new/file': 'x' });
    await worktrees.remove(here.repository, one.path, never);
    await worktrees.remove(here.repository, one.path, never);
    expect(existsSync(one.path)).toBe(false);
    expect(existsSync(one.gitDir)).toBe(false);
    expect(await problemOf(worktrees.remove(here.repository, here.folder, never))).toBe('repository.unusable/invalid-path');
    const foreign = scratchFolder();
    write(foreign, { mine: '1' });
    await worktrees.remove(here.repository, foreign, never);
    expect(existsSync(join(foreign, 'mine'))).toBe(true);
    expect(await problemOf(worktrees.open(here.repository, foreign, never))).toBe('repository.unusable/worktree-missing');
  });

  it('that was replaced by a link is removed without what the link leads to', async () => {
    const here = await scene();
    const one = await added(here);
    const foreign = scratchFolder();
    write(foreign, { mine: '1' });
    rmSync(one.path, { recursive: true });
    symlinkSync(foreign, one.path);
    expect(await problemOf(here.git.worktrees.open(here.repository, one.path, never))).toBe('repository.unusable/worktree-missing');
    await here.git.worktrees.remove(here.repository, one.path, never);
    expect(existsSync(join(foreign, 'mine'))).toBe(true);
    expect(existsSync(one.path)).toBe(false);
  });

  it('whose folder is gone is listed so, until it is pruned', async () => {
    const here = await scene();
    const one = await added(here, 'one');
    rmSync(one.path, { recursive: true });
    expect((await here.git.worktrees.list(here.repository, never))[1]).toMatchObject({ branch: 'one', prunable: true });
    expect(await problemOf(here.git.worktrees.open(here.repository, one.path, never))).toBe('repository.unusable/worktree-missing');
    await here.git.worktrees.prune(here.repository, never);
    expect(await here.git.worktrees.list(here.repository, never)).toHaveLength(1);
    // Another worktree may take the branch of the pruned one.
    expect(await added(here, 'one')).toMatchObject({ repository: here.repository });
  });

  it('whose file `.git` is gone or names another is still itself', async () => {
    const here = await scene();
    const [one, other] = [await added(here, 'one'), await added(here, 'other')];
    for (const text of [undefined, readFileSync(join(other.path, '.git'), 'utf8'), `gitdir: ${here.repository.gitDir}\n`]) {
      rmSync(join(one.path, '.git'), { force: true });
      if (text !== undefined) writeFileSync(join(one.path, '.git'), text);
      write(one.path, { 'a.txt': `${text}` });
      const request = { message: 'work', signature: { name: 'Ada', email: 'a@b.c', atMs: 0 } };
      const { commit: made } = await here.git.commits.commitAll(one, request, never);
      expect(sh(here.folder, 'rev-parse', 'one')).toBe(made);
    }
    expect(sh(here.folder, 'rev-parse', 'other', 'main')).toBe(`${here.head}\n${here.head}`);
    expect(sh(here.folder, 'status', '--porcelain')).toBe('');
    await here.git.worktrees.open(here.repository, one.path, never);
    expect(sh(one.path, 'symbolic-ref', '--short', 'HEAD')).toBe('one');
  });

  it.each(['link', 'hard link'] as const)(
    'whose file `.git` is a %s gets one of its own, and what it leads to is left alone',
    async (kind) => {
      const here = await scene();
      const one = await added(here, 'one');
      const victim = join(scratchFolder(), 'victim');
      writeFileSync(victim, 'precious');
      rmSync(join(one.path, '.git'));
      if (kind === 'link') symlinkSync(victim, join(one.path, '.git'));
      else linkSync(victim, join(one.path, '.git'));
      await here.git.worktrees.open(here.repository, one.path, never);
      expect(readFileSync(victim, 'utf8')).toBe('precious');
      expect(lstatSync(join(one.path, '.git')).isFile()).toBe(true);
      expect(sh(one.path, 'symbolic-ref', '--short', 'HEAD')).toBe('one');
    },
  );

  it('in which somebody began a repository of their own is refused', async () => {
    const here = await scene();
    const one = await added(here);
    rmSync(join(one.path, '.git'));
    sh(one.path, 'init', '--quiet');
    expect(await problemOf(here.git.worktrees.open(here.repository, one.path, never))).toBe('repository.unusable/embedded-repository');
  });

  it('moves to a commit with its branch; changes are refused or discarded', async () => {
    const here = await scene({ 'a.txt': 'a\n', '.gitignore': 'ignored\n' });
    const one = await added(here, 'one');
    const second = commit(here.folder, 'second', { 'a.txt': 'b\n' });
    write(one.path, { 'new.txt': 'x', ignored: 'y', 'own/.git/HEAD': 'ref: refs/heads/x\n' });
    const { moveTo } = here.git.worktrees;
    expect(await problemOf(moveTo(one, second, {}, never))).toBe('repository.unusable/dirty');
    expect(sh(one.path, 'rev-parse', 'one')).toBe(here.head);
    await moveTo(one, second, { discard: 'changes' }, never);
    expect([sh(one.path, 'rev-parse', 'one'), readFileSync(join(one.path, 'a.txt'), 'utf8')]).toEqual([second, 'b\n']);
    expect([existsSync(join(one.path, 'new.txt')), existsSync(join(one.path, 'own')), existsSync(join(one.path, 'ignored'))]).toEqual([
      false,
      false,
      true,
    ]);
    await moveTo(one, here.head, { discard: 'everything' }, never);
    expect(existsSync(join(one.path, 'ignored'))).toBe(false);
    await moveTo(one, second, {}, never);
    expect(sh(one.path, 'status', '--porcelain', '--ignored')).toBe('');
  });

  it('goes back to its own branch, and the one that somebody checked out in it stays as it was', async () => {
    const here = await scene({ 'a.txt': 'a\n' });
    const one = await added(here, 'one');
    const second = commit(here.folder, 'second', { 'a.txt': 'b\n' });
    sh(here.folder, 'branch', 'persons', second);
    for (const switched of [
      ['--quiet', 'persons'],
      ['--quiet', '--detach', 'persons'],
      ['--quiet', '--orphan', 'new'],
    ]) {
      sh(one.path, 'checkout', ...switched);
      write(one.path, { 'a.txt': 'changed', 'new.txt': 'x' });
      await here.git.worktrees.moveTo(one, here.head, { discard: 'changes', branch: 'one' }, never);
      expect(sh(one.path, 'symbolic-ref', '--short', 'HEAD')).toBe('one');
      expect(sh(here.folder, 'rev-parse', 'one', 'persons')).toBe(`${here.head}\n${second}`);
      expect([readFileSync(join(one.path, 'a.txt'), 'utf8'), sh(one.path, 'status', '--porcelain')]).toEqual(['a\n', '']);
    }
    // The worktree is in the middle of a merge with conflicts.
    const other = commit(one.path, 'other', { 'a.txt': 'c\n' });
    expect(() => sh(one.path, 'merge', 'persons')).toThrow();
    await here.git.worktrees.moveTo(one, other, { discard: 'changes', branch: 'one' }, never);
    expect([sh(one.path, 'rev-parse', 'one'), sh(one.path, 'status', '--porcelain')]).toEqual([other, '']);
    expect(existsSync(join(one.gitDir, 'MERGE_HEAD'))).toBe(false);
  });

  it('shows its changes by bytes, and is left as it is', async () => {
    const here = await scene({
      'a.txt': 'a\n',
      'gone.txt': 'long enough to be found again\n'.repeat(5),
      'Case.txt': 'case\n'.repeat(9),
      'dir/x': '1',
    });
    const one = await added(here, 'one');
    const odd = Buffer.from([0x62, 0xff, 0x0a, 0x22]);
    writeFileSync(Buffer.concat([Buffer.from(`${one.path}/`), odd]), 'odd');
    renameSync(join(one.path, 'Case.txt'), join(one.path, 'case.txt'));
    sh(one.path, 'add', '--all', 'Case.txt', 'case.txt');
    chmodSync(join(one.path, 'a.txt'), 0o755);
    rmSync(join(one.path, 'gone.txt'));
    write(one.path, { 'new/one': '1', 'new/two': '2' });
    const index = statSync(join(one.gitDir, 'index')).mtimeMs;
    const { head, branch, changes } = await here.git.worktrees.status(one, never);
    expect([head, branch]).toEqual([here.head, 'one']);
    expect(changes.map(({ kind, path, from }) => [kind, path.toString('latin1'), from?.toString('latin1')])).toEqual([
      ['changed', 'a.txt', undefined],
      ['renamed', 'case.txt', 'Case.txt'],
      ['changed', 'gone.txt', undefined],
      ['untracked', odd.toString('latin1'), undefined],
      ['untracked', 'new/one', undefined],
      ['untracked', 'new/two', undefined],
    ]);
    expect(statSync(join(one.gitDir, 'index')).mtimeMs).toBe(index);
  });

  it('shows a conflict that is not resolved', async () => {
    const here = await scene();
    const one = await added(here, 'one');
    commit(one.path, 'theirs', { 'a.txt': 'theirs\n' });
    const second = commit(here.folder, 'ours', { 'a.txt': 'ours\n' });
    expect(() => sh(one.path, 'merge', '--quiet', second)).toThrow();
    const { changes } = await here.git.worktrees.status(one, never);
    expect(changes.map(({ kind, path }) => [kind, String(path)])).toEqual([['unmerged', 'a.txt']]);
    const request = { message: 'x', signature: { name: 'Ada', email: 'a@b.c', atMs: 0 } };
    expect(await problemOf(here.git.commits.commitAll(one, request, never))).toBe('repository.unusable/unmerged');
  });
});

describe('copied files', () => {
  it('keep their modes and links, and replace what is there', async () => {
    const here = await scene();
    const one = await added(here);
    write(here.folder, { '.env': 'SECRET=1', 'config/local/x.sh': 'x', 'config/local/deep/y': 'y' });
    chmodSync(join(here.folder, 'config/local/x.sh'), 0o755);
    symlinkSync('x.sh', join(here.folder, 'config/local/link'));
    write(one.path, { '.env': 'old' });
    await here.git.worktrees.copy(here.folder, one, ['.env', 'config/local'], never);
    expect(readFileSync(join(one.path, '.env'), 'utf8')).toBe('SECRET=1');
    expect(lstatSync(join(one.path, 'config/local/x.sh')).mode & 0o111).toBe(0o111);
    expect(readlinkSync(join(one.path, 'config/local/link'))).toBe('x.sh');
    expect(readFileSync(join(one.path, 'config/local/deep/y'), 'utf8')).toBe('y');
  });

  it('are none if one of them is missing, or lies elsewhere', async () => {
    const here = await scene();
    const one = await added(here);
    const outside = scratchFolder();
    write(outside, { secret: '1' });
    symlinkSync(outside, join(here.folder, 'out'));
    write(here.folder, { '.env': '1' });
    const refused = {
      'invalid-path': ['../secret', '/etc/passwd', 'a/../../b', '.git', 'sub/.GIT/config', '', 'out/secret'],
      'path-missing': ['missing', 'a.txt/below'],
    };
    for (const [problem, names] of Object.entries(refused)) {
      for (const name of names) {
        const found = await problemOf(here.git.worktrees.copy(here.folder, one, ['.env', name], never));
        expect([name, found]).toEqual([name, `repository.unusable/${problem}`]);
      }
    }
    expect(existsSync(join(one.path, '.env'))).toBe(false);
  });

  it('are not written through a link that leads outside', async () => {
    const here = await scene();
    const one = await added(here);
    const outside = scratchFolder();
    write(here.folder, { 'config/x': '1' });
    symlinkSync(outside, join(one.path, 'config'));
    expect(await problemOf(here.git.worktrees.copy(here.folder, one, ['config/x'], never))).toBe('repository.unusable/invalid-path');
    expect(existsSync(join(outside, 'x'))).toBe(false);
    mkdirSync(join(outside, 'still-mine'));
    await here.git.worktrees.copy(here.folder, one, ['config'], never);
    expect(lstatSync(join(one.path, 'config')).isDirectory()).toBe(true);
    expect(existsSync(join(outside, 'still-mine'))).toBe(true);
  });
});
