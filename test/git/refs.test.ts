import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { join } from 'node:path';
import { commit, commitOn, never, problemOf, type Scene, scene, scratchFolder, sh, texts, write } from './scene';

const REF = 'refs/thermidor/run-1/task/1';

describe('a swap of a ref', () => {
  it('makes, moves and removes what has the old value, and says what is there instead', async () => {
    const { git, repository, folder, head } = await scene();
    const next = commitOn(folder, head, { b: '1' });
    const swap = (from: string | undefined, to: string | undefined) => git.refs.compareAndSwap(repository, { ref: REF, from, to }, never);
    expect(await swap(head, next)).toEqual({ kind: 'stale', actual: undefined });
    expect(await swap(undefined, head)).toEqual({ kind: 'moved' });
    expect(await swap(undefined, head)).toEqual({ kind: 'already' });
    expect(await swap(undefined, next)).toEqual({ kind: 'stale', actual: head });
    expect(await swap(head, next)).toEqual({ kind: 'moved' });
    expect(await swap(head, next)).toEqual({ kind: 'already' });
    expect(await git.refs.list(repository, 'refs/thermidor/run-1/', never)).toEqual([{ name: REF, id: next }]);
    expect(await swap(head, undefined)).toEqual({ kind: 'stale', actual: next });
    expect(await swap(next, undefined)).toEqual({ kind: 'moved' });
    expect(await swap(next, undefined)).toEqual({ kind: 'already' });
    expect(await git.refs.read(repository, REF, never)).toBeUndefined();
  });

  it('is won by exactly one of many at once', async () => {
    const { git, repository, folder, head } = await scene();
    const candidates = [1, 2, 3, 4, 5, 6].map((n) => commitOn(folder, head, { n: `${n}` }));
    const results = await Promise.all(
      candidates.map((to) => git.refs.compareAndSwap(repository, { ref: REF, from: undefined, to }, never)),
    );
    const winner = candidates[results.findIndex(({ kind }) => kind === 'moved')];
    expect(await git.refs.read(repository, REF, never)).toBe(winner);
    const stale = results.filter(({ kind }) => kind === 'stale');
    expect(stale).toEqual(candidates.slice(1).map(() => ({ kind: 'stale', actual: winner })));
  });

  it('waits for a git that is busy with the ref', async () => {
    const { git, repository, head, folder } = await scene();
    write(folder, { [`.git/${REF}.lock`]: '' });
    sh(folder, 'config', 'core.filesRefLockTimeout', '0');
    const patient = git.refs.compareAndSwap(repository, { ref: REF, from: undefined, to: head }, never);
    const [lock] = await git.locks.list(repository);
    expect(lock).toMatchObject({ path: join(folder, '.git', `${REF}.lock`) });
    rmSync(join(folder, '.git', `${REF}.lock`));
    expect(await patient).toEqual({ kind: 'moved' });
  });

  it('takes full names of refs and of objects, and nothing else', async () => {
    const { git, repository, head } = await scene();
    const swap = (ref: string, to: string) => problemOf(git.refs.compareAndSwap(repository, { ref, from: undefined, to }, never));
    for (const ref of ['main', 'refs/heads/../x', '-d', 'refs/heads/a b']) {
      expect([ref, await swap(ref, head)]).toEqual([ref, 'repository.unusable/invalid-name']);
    }
    expect(await swap(REF, 'main')).toBe('repository.unusable/invalid-name');
  });
});

const FILES = { 'a.txt': 'a\n', 'gone.txt': 'x', 'deep/b.txt': 'b\n' };

/** A change that touches every kind of path. */
async function toMove(): Promise<Scene & { to: string; swap: { ref: string; from: string; to: string } }> {
  const here = await scene(FILES);
  const worktree = join(scratchFolder(), 'w');
  sh(here.folder, 'worktree', 'add', '--quiet', '--detach', worktree, here.head);
  rmSync(join(worktree, 'gone.txt'));
  const to = commit(worktree, 'change', { 'a.txt': 'A\n', 'new/c.txt': 'c\n' });
  sh(here.folder, 'worktree', 'remove', '--force', worktree);
  return { ...here, to, swap: { ref: 'refs/heads/main', from: here.head, to } };
}

const moveFiles = (folder: string, to: string) => {
  sh(folder, 'update-index', '--refresh');
  sh(folder, 'read-tree', '-m', '-u', 'HEAD', to);
  return to;
};
const stage = (folder: string, name: string) => {
  write(folder, { [name]: 'mine' });
  sh(folder, 'add', name);
};
/** Changes the files only in part, as a git that was killed. */
const moveSome = (folder: string, files: Record<string, string>) => {
  write(folder, files);
  rmSync(join(folder, 'gone.txt'));
};
const clean = (folder: string) => sh(folder, 'status', '--porcelain');

describe('the advance of a branch', () => {
  it('takes index and files of its checkout along, and leaves what git does not know', async () => {
    const { git, repository, folder, to, swap } = await toMove();
    write(folder, { 'mine.txt': 'untracked' });
    expect(await git.refs.advance(repository, swap, never)).toEqual({ kind: 'moved' });
    expect([sh(folder, 'rev-parse', 'main'), clean(folder)]).toEqual([to, '?? mine.txt']);
    expect([
      readFileSync(join(folder, 'a.txt'), 'utf8'),
      existsSync(join(folder, 'gone.txt')),
      existsSync(join(folder, 'new/c.txt')),
    ]).toEqual(['A\n', false, true]);
    expect(await git.refs.advance(repository, swap, never)).toEqual({ kind: 'already' });
  });

  it('takes a linked worktree along, and the checkout with another branch stays', async () => {
    const { git, repository, folder, head, to } = await toMove();
    const one = await git.worktrees.add(repository, { path: join(scratchFolder(), 'w'), commit: head, branch: 'topic' }, never);
    expect(await git.refs.advance(repository, { ref: 'refs/heads/topic', from: head, to }, never)).toEqual({ kind: 'moved' });
    expect([clean(one.path), clean(folder), sh(one.path, 'rev-parse', 'HEAD'), sh(folder, 'rev-parse', 'HEAD')]).toEqual([
      '',
      '',
      to,
      head,
    ]);
  });

  it('is a swap alone if nobody has it checked out', async () => {
    const { git, repository, folder, head, to } = await toMove();
    expect(await git.refs.advance(repository, { ref: 'refs/heads/free', from: undefined, to: head }, never)).toEqual({ kind: 'moved' });
    expect(await git.refs.advance(repository, { ref: 'refs/heads/free', from: head, to }, never)).toEqual({ kind: 'moved' });
    expect([clean(folder), sh(folder, 'rev-parse', 'free')]).toEqual(['', to]);
    expect(await problemOf(git.refs.advance(repository, { ref: 'refs/heads/main', from: head, to: undefined }, never))).toBe(
      'repository.unusable/branch-taken',
    );
  });

  it.each<[string, (folder: string) => void, string[]]>([
    ['a changed file', (folder) => write(folder, { 'deep/b.txt': 'mine' }), ['deep/b.txt']],
    ['a staged file', (folder) => stage(folder, 'staged.txt'), ['staged.txt']],
    ['a file that the change takes away, staged anew', (folder) => stage(folder, 'gone.txt'), ['gone.txt']],
    ['a file that is gone', (folder) => rmSync(join(folder, 'deep/b.txt')), ['deep/b.txt']],
    ['a file that git does not know, where a new one goes', (folder) => write(folder, { 'new/c.txt': 'mine' }), ['new/c.txt']],
    ['a changed file, and one as the change has it', (folder) => write(folder, { 'a.txt': 'A\n', 'deep/b.txt': 'mine' }), ['deep/b.txt']],
    [
      'one as the change has it, and an unknown one in the way',
      (folder) => write(folder, { 'a.txt': 'A\n', 'new/c.txt': 'mine' }),
      ['new/c.txt'],
    ],
  ])('moves nothing where the checkout has %s', async (_, change, paths) => {
    const { git, repository, folder, head, swap } = await toMove();
    change(folder);
    const before = clean(folder);
    const result = await git.refs.advance(repository, swap, never);
    expect(result).toMatchObject({ kind: 'dirty', worktree: folder });
    expect(result.kind === 'dirty' && texts(result.paths)).toEqual(paths);
    expect([clean(folder), sh(folder, 'rev-parse', 'main')]).toEqual([before, head]);
  });

  it('moves nothing if the branch has moved', async () => {
    const { git, repository, folder, swap } = await toMove();
    const actual = commit(folder, 'a person’s', { 'x.txt': '1' });
    expect(await git.refs.advance(repository, swap, never)).toEqual({ kind: 'stale', actual });
    expect(clean(folder)).toBe('');
  });

  it.each<[string, (folder: string, to: string) => void]>([
    ['before the files', () => undefined],
    ['between two files', (folder) => moveSome(folder, { 'a.txt': 'A\n' })],
    ['between the last file and the index', (folder) => moveSome(folder, { 'a.txt': 'A\n', 'new/c.txt': 'c\n' })],
    ['between the files and the branch', (folder, to) => void moveFiles(folder, to)],
    ['behind the branch', (folder, to) => void sh(folder, 'update-ref', 'refs/heads/main', moveFiles(folder, to))],
  ])('killed %s is completed', async (_, killed) => {
    const { git, repository, folder, to, swap } = await toMove();
    killed(folder, to);
    write(folder, { 'mine.txt': 'untracked' });
    expect(['moved', 'already']).toContain((await git.refs.advance(repository, swap, never)).kind);
    expect([sh(folder, 'rev-parse', 'main'), clean(folder)]).toEqual([to, '?? mine.txt']);
  });

  it('is made by exactly one of two at once, and the files are the winner’s', async () => {
    const { git, repository, folder, head, to } = await toMove();
    const other = commitOn(folder, head, { 'other.txt': 'o' });
    sh(folder, 'update-index', '-q', '--refresh');
    const swap = (id: string) =>
      git.refs.advance(repository, { ref: 'refs/heads/main', from: head, to: id }, never).then(
        ({ kind }) => kind,
        ({ code }) => String(code),
      );
    const kinds = await Promise.all([swap(to), swap(other)]);
    expect(kinds.filter((kind) => kind === 'moved').length).toBeLessThanOrEqual(1);
    for (const kind of kinds) expect(['moved', 'stale', 'dirty', 'repository.locked']).toContain(kind);
    expect([head, to, other]).toContain(sh(folder, 'rev-parse', 'main'));
    expect(kinds.includes('moved')).toBe(sh(folder, 'rev-parse', 'main') !== head);
  });
});

describe('locks that were left behind', () => {
  it('are found in the repository and its worktrees, and removed when they are old and nobody’s', async () => {
    const { git, repository, folder, head } = await scene();
    const one = await git.worktrees.add(repository, { path: join(scratchFolder(), 'w'), commit: head }, never);
    const paths = [join(folder, '.git/index.lock'), join(folder, '.git/refs/heads/main.lock'), join(one.gitDir, 'index.lock')];
    for (const path of paths) writeFileSync(path, '');
    expect((await git.locks.list(repository)).map(({ path }) => path).sort()).toEqual([...paths].sort());
    expect(await problemOf(git.refs.advance(repository, { ref: 'refs/heads/main', from: head, to: head }, never))).toBe(
      'repository.locked/locked',
    );
    expect(await git.locks.clear(repository, 60_000)).toEqual([]);
    expect(paths.every((path) => existsSync(path))).toBe(true);
    expect((await git.locks.clear(repository, 0)).length).toBe(3);
    expect(await git.locks.list(repository)).toEqual([]);
  });

  it('stay when this process has too many files open to see whose they are', async () => {
    const { git, repository, folder } = await scene();
    const path = join(folder, '.git/index.lock');
    writeFileSync(path, '');
    const { readdir } = files;
    const look = jest.spyOn(files, 'readdir').mockImplementation(((at: string, ...rest: []) => {
      if (String(at).startsWith('/proc')) return Promise.reject(Object.assign(new Error('EMFILE'), { code: 'EMFILE' }));
      return readdir(at, ...rest);
    }) as typeof readdir);
    await expect(git.locks.clear(repository, 0)).rejects.toThrow('EMFILE');
    look.mockRestore();
    expect(existsSync(path)).toBe(true);
  });
});
