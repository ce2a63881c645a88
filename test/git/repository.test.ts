import { readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commit, never, newGit, newRepository, problemOf, scene, scratchFolder, sh, write } from './scene';

describe('a repository', () => {
  it('has the same identity from its checkout, a folder in it, a link to it and a worktree', async () => {
    const { git, folder, repository } = await scene({ 'deep/a.txt': 'a' });
    const worktree = join(scratchFolder(), 'w');
    sh(folder, 'worktree', 'add', '--quiet', '-b', 'other', worktree);
    const link = join(scratchFolder(), 'link');
    symlinkSync(folder, link);
    expect(repository).toEqual({
      identity: realpathSync(folder),
      gitDir: join(folder, '.git'),
      checkout: folder,
      shallow: false,
    });
    for (const other of [join(folder, 'deep'), worktree, link]) expect(await git.repositories.open(other, never)).toEqual(repository);
  });

  it('may be bare, with worktrees', async () => {
    const git = newGit();
    const bare = join(scratchFolder(), 'bare.git');
    sh('/', 'clone', '--quiet', '--bare', newRepository(), bare);
    const worktree = join(scratchFolder(), 'w');
    sh(bare, 'worktree', 'add', '--quiet', '--detach', worktree);
    const repository = await git.repositories.open(bare, never);
    expect(repository).toMatchObject({ identity: bare, gitDir: bare });
    expect(repository.checkout).toBeUndefined();
    expect(await git.repositories.open(worktree, never)).toEqual(repository);
  });

  it('is known to git once, and asked for again if what it is has changed', async () => {
    const git = newGit();
    const folder = newRepository();
    const isBare = async () => (await git.repositories.open(folder, never)).checkout === undefined;
    const first = await git.repositories.open(folder, never);
    expect(await git.repositories.open(folder, never)).toBe(first);
    write(folder, { '.git/shallow': `${sh(folder, 'rev-parse', 'HEAD')}\n` });
    expect(await git.repositories.open(folder, never)).toEqual({ ...first, shallow: true });
    sh(folder, 'config', 'core.bare', 'true');
    expect(await isBare()).toBe(true);
    sh(folder, 'config', 'core.bare', 'false');
    expect(await isBare()).toBe(false);
    rmSync(join(folder, '.git/HEAD'));
    expect(await problemOf(git.repositories.open(folder, never))).toBe('repository.unusable/not-a-repository');
  });

  it('may have a name with a line end', async () => {
    const folder = newRepository({ a: '1' }, join(scratchFolder(), 'two\nlines "q"'));
    expect(await newGit().repositories.open(folder, never)).toMatchObject({ identity: folder, checkout: folder });
  });

  it('may use SHA-256', async () => {
    const folder = scratchFolder();
    sh(folder, 'init', '--quiet', '-b', 'main', '--object-format=sha256');
    const head = commit(folder, 'first', { a: '1' });
    const git = newGit();
    const repository = await git.repositories.open(folder, never);
    expect(await git.repositories.resolve(repository, 'main', never)).toBe(head);
    const ref = 'refs/thermidor/r/t/1';
    expect(await git.refs.compareAndSwap(repository, { ref, from: undefined, to: head }, never)).toEqual({ kind: 'moved' });
    expect(await git.refs.compareAndSwap(repository, { ref, from: undefined, to: undefined }, never)).toEqual({
      kind: 'stale',
      actual: head,
    });
  });

  it('is refused if there is none, if git is missing or too old, and if it lies apart from its checkout', async () => {
    const git = newGit();
    const empty = scratchFolder();
    expect(await problemOf(git.repositories.open(empty, never))).toBe('repository.unusable/not-a-repository');
    expect(await problemOf(git.repositories.open(join(empty, 'nowhere'), never))).toBe('repository.unusable/not-a-repository');
    const file = join(empty, 'file');
    writeFileSync(file, '');
    expect(await problemOf(git.repositories.open(file, never))).toBe('repository.unusable/not-a-repository');
    const missing = newGit({ environment: { PATH: empty } });
    expect(await problemOf(missing.repositories.open(newRepository(), never))).toBe('git.unavailable/git-missing');
    const old = scratchFolder();
    writeFileSync(join(old, 'git'), '#!/bin/sh\necho git version 2.30.9\n', { mode: 0o755 });
    expect(
      await problemOf(newGit({ environment: { PATH: `${old}:${process.env['PATH']}` } }).repositories.open(newRepository(), never)),
    ).toBe('git.unavailable/git-too-old');
    const apart = scratchFolder();
    sh(apart, 'init', '--quiet', `--separate-git-dir=${join(apart, 'elsewhere')}`, 'checkout');
    expect(await problemOf(git.repositories.open(join(apart, 'checkout'), never))).toBe('repository.unusable/git-folder-apart');
  });

  it('is not the one around a folder that the host’s environment names', async () => {
    const [one, other] = [newRepository(), newRepository({ b: '2' })];
    const environment = { ...process.env, GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other, GIT_INDEX_FILE: join(other, 'x') };
    expect(await newGit({ environment }).repositories.open(one, never)).toMatchObject({ identity: one });
  });
});

describe('problems', () => {
  const found = async (folder: string, base?: string) => {
    const git = newGit();
    const { problems } = await git.repositories.examine(await git.repositories.open(folder, never), base, never);
    return problems.map(({ problem, paths }) => [problem, ...(paths ?? []).map(String)].join(' ')).sort();
  };

  it('are none in a clean checkout on a branch', async () => {
    expect(await found(newRepository())).toEqual([]);
  });

  it('are all reported at once', async () => {
    const folder = newRepository({
      'a.txt': '1',
      '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = /nowhere\n',
      'assets/.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
    });
    sh(folder, 'checkout', '--quiet', '--detach');
    writeFileSync(join(folder, 'a.txt'), '2');
    writeFileSync(join(folder, '.git/index.lock'), '');
    expect(await found(folder)).toEqual(['detached-head', 'dirty a.txt', 'lfs assets/.gitattributes', 'locked', 'submodules .gitmodules']);
    expect(await found(folder, 'nowhere')).toEqual(['base-missing', 'dirty a.txt', 'locked']);
  });

  it('are no commits, and a base that is missing', async () => {
    const folder = scratchFolder();
    sh(folder, 'init', '--quiet', '-b', 'main');
    expect(await found(folder)).toEqual(['no-commits']);
    expect(await found(folder, 'main')).toEqual(['base-missing']);
    expect(await found(newRepository(), '--upload-pack=touch /tmp/no')).toEqual(['base-missing']);
  });

  it('is a shallow clone', async () => {
    const origin = newRepository();
    commit(origin, 'second', { 'b.txt': 'b' });
    const clone = join(scratchFolder(), 'clone');
    sh('/', 'clone', '--quiet', '--depth=1', `file://${origin}`, clone);
    expect(await found(clone)).toEqual(['shallow']);
  });

  it.each(['blob:none', 'tree:0'])('is a partial clone without files of the base, by %s, and nothing is fetched', async (filter) => {
    const origin = newRepository({ 'a.txt': '1', 'deep/b.txt': 'b' });
    commit(origin, 'second', { 'a.txt': '2' });
    sh(origin, 'config', 'uploadpack.allowFilter', 'true');
    const clone = join(scratchFolder(), 'clone');
    sh('/', 'clone', '--quiet', `--filter=${filter}`, `file://${origin}`, clone);
    const objects = sh(clone, 'count-objects', '-v');
    expect([await found(clone), await found(clone, 'HEAD~1')]).toEqual([[], ['partial']]);
    expect(sh(clone, 'count-objects', '-v')).toBe(objects);
    // Its background maintenance would hold locks.
    sh(clone, '-c', 'maintenance.auto=false', 'fetch', '--quiet', '--refetch', '--no-filter');
    expect(await found(clone, 'HEAD~1')).toEqual([]);
  });
});

describe('a clone', () => {
  it('is made whole or not at all, and opened when it is there', async () => {
    const git = newGit();
    const origin = newRepository();
    sh(origin, 'branch', 'topic');
    const target = join(scratchFolder(), 'deep/clone.git');
    const repository = await git.repositories.clone(`file://${origin}`, target, { bare: true }, never);
    expect(await git.repositories.clone(`file://${origin}`, target, { bare: true }, never)).toEqual(repository);
    expect((await git.refs.list(repository, 'refs/heads/', never)).map(({ name }) => name)).toEqual([
      'refs/heads/main',
      'refs/heads/topic',
    ]);
    expect(await git.remotes.url(repository, 'origin', never)).toBe(`file://${origin}`);
    expect(await git.remotes.url(repository, 'upstream', never)).toBeUndefined();
    for (const [bare, name] of [[true, 'apart.git'] as const, [false, 'apart'] as const]) {
      const apart = await git.repositories.clone(`file://${origin}`, join(scratchFolder(), name), { bare, withoutRemote: true }, never);
      expect(await git.remotes.url(apart, 'origin', never)).toBeUndefined();
    }
    rmSync(origin, { recursive: true });
    const around = scratchFolder();
    expect(await problemOf(git.repositories.clone(`file://${origin}`, join(around, 'other'), {}, never))).toBe(
      'repository.unusable/not-a-repository',
    );
    expect(readdirSync(around)).toEqual([]);
  });
});
