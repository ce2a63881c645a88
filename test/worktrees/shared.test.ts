import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorktreePlace } from '../../activities/worktree-port';
import { pullAmongOthers } from '../../worker/worktrees/update-worktree';
import { commit, never, newGit, newRepository, problemOf, SIGNATURE, sh, write } from '../git/scene';
import { newHost, noSetup, place, SAVE } from './host-scene';

/** A worktree in which several steps are at work at the same time. */
const SLOT = 'build/build_engineer';
const by = (turn: number): WorktreePlace => ({ ...place(SLOT), sharedBy: `build[${turn}]/build_engineer` });

async function shared(files: Record<string, string> = { 'a.txt': 'a\n', 'b.txt': 'b\n' }) {
  const repository = newRepository(files);
  const { worktrees } = newHost(repository);
  const plan = await worktrees.resolve({}, never);
  const open = (turn: number) => worktrees.open(by(turn), plan, plan.base, noSetup, never);
  const save = (turn: number) => worktrees.save(by(turn), plan, { ...SAVE, message: `of ${turn}\n` }, never);
  const pull = (turn: number, onto: string) =>
    worktrees.update(by(turn), plan, { onto, message: 'brought up to date\n', signature: SIGNATURE }, never);
  const trees = [await open(1), await open(2)] as const;
  const { folder } = trees[0];
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const filesOf = (at: string): string => sh(folder, 'ls-tree', '-r', '--name-only', at);
  return { repository, worktrees, plan, open, save, pull, trees, folder, read, filesOf };
}

describe('a worktree in which two are at work at once', () => {
  it('is one folder; what one saves has what the other has not finished, which goes on', async () => {
    const { trees, folder, open, save, read, filesOf } = await shared();
    expect(trees[1].folder).toBe(folder);
    write(folder, { 'one.txt': 'whole\n', 'two.txt': 'half\n' });
    const first = await save(1);
    expect([filesOf(first), sh(folder, 'show', `${first}:two.txt`)]).toEqual(['a.txt\nb.txt\none.txt\ntwo.txt', 'half']);
    write(folder, { 'two.txt': 'whole\n' });
    await open(1);
    expect(read('two.txt')).toBe('whole\n');
    const second = await save(2);
    expect([sh(folder, 'rev-parse', `${second}^`), sh(folder, 'show', `${second}:two.txt`)]).toEqual([first, 'whole']);
    expect(await save(1)).toBe(second);
  });

  it('is saved by one after the other, even if both ask at once', async () => {
    const { repository, folder, save, plan } = await shared();
    write(folder, { 'one.txt': '1\n', 'two.txt': '2\n' });
    const commits = await Promise.all([save(1), save(2)]);
    expect(new Set(commits).size).toBe(1);
    expect(sh(repository, 'rev-list', '--count', `${plan.base}..${commits[0]}`)).toBe('1');
    expect(sh(repository, 'for-each-ref', '--format=%(objectname)', 'refs/thermidor')).toBe(commits[0]);
  });

  it('ends with a step what that one has left running, and nothing of the other', async () => {
    const { trees, save, open } = await shared();
    const [mine, others] = trees.map(({ folder, env }) =>
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { cwd: folder, env: { ...process.env, ...env }, detached: true }),
    );
    if (!mine || !others) throw new Error('both run');
    try {
      const ended = once(mine, 'exit');
      await save(1);
      expect(await ended).toEqual([null, 'SIGKILL']);
      await open(1);
      expect(others.exitCode ?? others.signalCode).toBeNull();
      const late = once(others, 'exit');
      await open(2);
      expect(await late).toEqual([null, 'SIGKILL']);
    } finally {
      others.kill('SIGKILL');
    }
  });

  it('is brought up to date beneath the other, whose files stay as they are, and keeps its history', async () => {
    const { repository, folder, save, pull, read } = await shared();
    write(folder, { 'one.txt': 'whole\n' });
    const candidate = await save(1);
    const onto = commit(repository, 'target', { 'b.txt': 'theirs\n' });
    write(folder, { 'two.txt': 'half\n' });
    await pull(1, onto);
    expect([read('b.txt'), read('one.txt'), read('two.txt')]).toEqual(['theirs\n', 'whole\n', 'half\n']);
    expect(sh(folder, 'status', '--porcelain')).toBe('');
    for (const one of [onto, candidate]) sh(folder, 'merge-base', '--is-ancestor', one, 'HEAD');
    const head = sh(folder, 'rev-parse', 'HEAD');
    await pull(2, onto);
    expect(sh(folder, 'rev-parse', 'HEAD')).toBe(head);
  });

  it('has a conflict with the target in its files, for both', async () => {
    const { repository, folder, pull, read } = await shared();
    write(folder, { 'a.txt': 'mine\n', 'two.txt': 'half\n' });
    const onto = commit(repository, 'target', { 'a.txt': 'theirs\n' });
    await pull(1, onto);
    expect(read('a.txt')).toMatch(/^<<<<<<< .*\ntheirs\n=======\nmine\n>>>>>>> /);
    expect(read('two.txt')).toBe('half\n');
  });

  it('is made again from what was saved last if it is gone', async () => {
    const { folder, open, save, worktrees, plan, read } = await shared();
    write(folder, { 'one.txt': 'whole\n' });
    await save(1);
    await worktrees.close(place(SLOT), plan, noSetup, never);
    expect(existsSync(folder)).toBe(false);
    await open(2);
    expect(read('one.txt')).toBe('whole\n');
  });
});

it('does not write over what changes all the time: it is tried again later', async () => {
  const git = newGit();
  const worktree = { path: '/tree', gitDir: '/git', repository: { identity: '/git', gitDir: '/git', shallow: false } };
  let tries = 0;
  const busy = {
    ...git,
    commits: { ...git.commits, commitAll: async () => ({ kind: 'committed' as const, commit: `c${++tries}` }) },
    merges: { merge: async () => ({ kind: 'merged' as const, commit: 'm', tree: 't' }) },
    refs: { ...git.refs, advance: async () => ({ kind: 'dirty' as const, worktree: '/tree', paths: [] }) },
  };
  const update = { onto: 'o', message: '', signature: SIGNATURE, branch: 'b' };
  expect(await problemOf(pullAmongOthers({ git: busy }, worktree, update, never))).toBe('repository.locked/locked');
  expect(tries).toBe(5);
});
