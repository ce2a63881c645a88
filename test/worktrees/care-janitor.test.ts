import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../../activities/git-model';
import type { Git } from '../../activities/git-port';
import { runRef } from '../../plan/run/run-ref';
import { withFileLock } from '../../records/locks/file-lock';
import { type JanitorPorts, type SweepOrder, sweepWorktrees } from '../../worker/worktrees/janitor';
import { worktreeName } from '../../worker/worktrees/names';
import { refNotes } from '../../worker/worktrees/ref-notes';
import type { RunLife } from '../../worker/worktrees/run-life';
import { ownPlaces } from '../../worker/worktrees/worktree-host';
import type { WorktreeRecord } from '../../worker/worktrees/worktree-record';
import { worktreeRecords } from '../../worker/worktrees/worktree-records';
import { worktreesLayout } from '../../worker/worktrees/worktrees-layout';
import { never, newGit, newRepository, scratchFolder, sh } from '../git/scene';
import { RECORD } from './record';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-23T12:00:00.000Z');
const ORDER: SweepOrder = { nowMs: NOW, endedMs: HOUR, unknownMs: 7 * DAY, keepRefsMs: 30 * DAY };
const git: Git = newGit();

/** A host with a repository. Every run ended a day ago unless the test says otherwise. */
async function host() {
  const root = scratchFolder();
  const repository = await git.repositories.open(newRepository(), never);
  const lives = new Map<string, RunLife>();
  const ports: JanitorPorts = {
    root,
    host: RECORD.host,
    storeId: root,
    namespace: 'default',
    git,
    lifeOf: ({ run }) => Promise.resolve(lives.get(run) ?? { kind: 'ended', atMs: NOW - DAY }),
    isNewest: () => Promise.resolve(true),
    isGone: (storeId) => Promise.resolve(!existsSync(storeId)),
    takenSince: new Map(),
  };
  const made = async (run: string, slot: string, more: Partial<WorktreeRecord> = {}): Promise<WorktreeRecord> => {
    const [name, epoch] = [`${run}-${slot}`, more.epoch ?? 1];
    const at = { repository: repository.identity, checkout: repository.identity, folder: join(root, 'trees', `${name}-${epoch}`) };
    const record = { ...RECORD, ...at, storeId: root, workflowId: `w-${run}`, run, slot, branch: `thermidor/${name}-${epoch}`, ...more };
    await worktreeRecords(root).write(record);
    const own = await git.transfers.lend(repository, { ...ownPlaces({ layout: worktreesLayout(root) }, record), refs: [] });
    await git.worktrees.add(own, { path: record.folder, commit: headOf(repository), branch: record.branch }, never);
    return record;
  };
  const sweep = (order: Partial<SweepOrder> = {}) => sweepWorktrees(ports, { ...ORDER, ...order }, never);
  return { root, repository, lives, ports, made, sweep };
}

describe('a sweep', () => {
  test('removes folder, branch and record of an ended run, and nothing of one that goes on', async () => {
    const { root, repository, lives, made, sweep } = await host();
    const [gone, stays] = [await made('r1', 'a'), await made('r2', 'a')];
    writeFileSync(join(gone.folder, 'left.txt'), 'left');
    lives.set('r2', { kind: 'open' });
    const { swept } = await sweep();
    expect(swept.map(({ what, done }) => [what, done])).toEqual([
      [gone.folder, 'removed'],
      [stays.folder, 'kept'],
    ]);
    expect(readdirSync(join(root, 'trees'))).toEqual(['r2-a-1']);
    for (const place of ['repositories', 'views']) {
      expect(readdirSync(join(root, place))).toEqual([worktreeName(stays)]);
    }
    expect(branches(repository)).toEqual(['main']);
    expect((await worktreeRecords(root).list()).records).toEqual([stays]);
    expect((await sweep()).swept.map(({ what }) => what)).toEqual([stays.folder]);
  });

  test('of a run that a person names keeps uncommitted work that is to be kept, unless it is forced', async () => {
    const { made, sweep } = await host();
    const named = { named: true, of: () => true } as const;
    const [clean, dirty] = [await made('r1', 'a', { keep: true }), await made('r1', 'b', { keep: true })];
    writeFileSync(join(dirty.folder, 'mine.txt'), 'mine');
    const kept = { done: 'kept', why: expect.stringContaining('it has uncommitted work: mine.txt; --force') };
    expect((await sweep({ ...named, dryRun: true })).swept).toMatchObject([{ done: 'removed' }, kept]);
    expect((await sweep(named)).swept).toMatchObject([
      { what: clean.folder, done: 'removed' },
      { what: dirty.folder, ...kept },
    ]);
    expect(existsSync(join(dirty.folder, 'mine.txt'))).toBe(true);
    expect((await sweep({ ...named, force: true })).swept).toMatchObject([{ what: dirty.folder, done: 'removed' }]);
    expect(existsSync(dirty.folder)).toBe(false);
  });

  test('says what it would do, and does nothing', async () => {
    const { root, made, sweep } = await host();
    const record = await made('r1', 'a');
    expect((await sweep({ dryRun: true })).swept).toMatchObject([{ done: 'removed', workflowId: 'w-r1', slot: 'a', epoch: 1 }]);
    expect(existsSync(record.folder)).toBe(true);
    expect(readdirSync(join(root, 'repositories'))).toHaveLength(1);
    expect((await worktreeRecords(root).list()).records).toHaveLength(1);
  });

  test('leaves a worktree whose run’s server does not answer, and one whose ledger cannot be read', async () => {
    const { ports, lives, made } = await host();
    await made('r1', 'a');
    await made('r2', 'a');
    lives.set('r2', { kind: 'open' });
    const silent: JanitorPorts = {
      ...ports,
      lifeOf: (run) => (run.run === 'r1' ? Promise.reject(new Error('unavailable')) : ports.lifeOf(run)),
      isNewest: () => Promise.reject(new Error('torn')),
    };
    const { swept } = await sweepWorktrees(silent, ORDER, never);
    expect(swept.map(({ kind, done }) => [kind, done])).toEqual([
      ['worktree', 'kept'],
      ['worktree', 'kept'],
      ['refs', 'failed'],
    ]);
  });

  test('asks about a run of many worktrees once', async () => {
    const { ports, made } = await host();
    await Promise.all(['a', 'b', 'c'].map((slot) => made('r1', slot)));
    let asked = 0;
    const counting: JanitorPorts = {
      ...ports,
      lifeOf: (run) => {
        asked += 1;
        return ports.lifeOf(run);
      },
    };
    const { swept } = await sweepWorktrees(counting, { ...ORDER, keepRefsMs: 400 * DAY, of: () => true }, never);
    expect([swept.length, asked]).toEqual([3, 1]);
  });

  test('removes what another host took over once that was known for the grace time', async () => {
    const { ports, lives, made } = await host();
    const record = await made('r1', 'a');
    lives.set('r1', { kind: 'open' });
    const taken: JanitorPorts = { ...ports, isNewest: () => Promise.resolve(false) };
    const at = (nowMs: number) => sweepWorktrees(taken, { ...ORDER, nowMs }, never);
    expect((await at(NOW)).swept).toMatchObject([{ done: 'kept' }]);
    expect((await at(NOW + HOUR - 1)).swept).toMatchObject([{ done: 'kept' }]);
    expect((await at(NOW + HOUR)).swept).toMatchObject([{ done: 'removed' }]);
    expect(existsSync(record.folder)).toBe(false);
  });

  test('does the rest if one worktree cannot be removed, and that one in the next sweep', async () => {
    const { root, made, sweep } = await host();
    const [stuck, fine] = [await made('r1', 'a'), await made('r2', 'a')];
    const elsewhere = { ...stuck, folder: `${root}/trees/..` };
    await worktreeRecords(root).write(elsewhere);
    expect((await sweep()).swept).toMatchObject([
      { what: elsewhere.folder, done: 'failed', why: expect.stringContaining('outside of') },
      { what: fine.folder, done: 'removed' },
    ]);
    expect(existsSync(elsewhere.folder)).toBe(true);
    await worktreeRecords(root).write(stuck);
    expect((await sweep()).swept).toMatchObject([{ what: stuck.folder, done: 'removed' }]);
  });

  test('follows no link in the place of a worktree, and removes no branch', async () => {
    const { root, repository, made, sweep } = await host();
    const precious = scratchFolder();
    writeFileSync(join(precious, 'file'), 'precious');
    const linked = { ...(await made('r1', 'a')), folder: join(root, 'trees', 'linked'), branch: 'main' };
    symlinkSync(precious, linked.folder);
    await worktreeRecords(root).write(linked);
    expect((await sweep()).swept).toMatchObject([{ done: 'removed' }]);
    expect(readdirSync(precious)).toEqual(['file']);
    expect(branches(repository)).toContain('main');
    expect(existsSync(linked.folder)).toBe(false);
  });

  test('removes a worktree whose folder, or whose repository, is gone already', async () => {
    const { root, made, sweep } = await host();
    const record = await made('r1', 'a');
    rmSync(record.folder, { recursive: true });
    await made('r2', 'a', { checkout: join(root, 'nowhere') });
    expect((await sweep()).swept).toMatchObject([{ done: 'removed' }, { done: 'removed' }]);
    for (const place of ['trees', 'repositories', 'views']) expect(readdirSync(join(root, place))).toEqual([]);
  });

  test('keeps folders that nobody’s record is of, and names them with records that cannot be read', async () => {
    const { root, made, sweep } = await host();
    const record = await made('r1', 'a');
    const [name = ''] = readdirSync(join(root, 'records'));
    writeFileSync(join(root, 'records', name), 'torn');
    const report = await sweep();
    expect(report).toMatchObject({ swept: [], nobodys: [record.folder], unreadable: [{ reason: 'it is not JSON' }] });
    expect(existsSync(record.folder)).toBe(true);
  });

  test('is one at a time', async () => {
    const { root, sweep } = await host();
    mkdirSync(join(root, 'locks'));
    await withFileLock(join(root, 'locks', 'janitor'), async () => {
      await expect(sweep()).rejects.toMatchObject({ name: 'LockHeld' });
    });
    await expect(sweep()).resolves.toMatchObject({ swept: [] });
  });
});

describe('refs of runs', () => {
  test('go when the run ended long ago; those of open runs, of young ones and of others’ stay', async () => {
    const { root, repository, lives, made, sweep } = await host();
    for (const run of ['old', 'young', 'open']) await made(run, 'a/b');
    lives.set('old', { kind: 'ended', atMs: NOW - 30 * DAY });
    lives.set('young', { kind: 'ended', atMs: NOW - 30 * DAY + 1 });
    lives.set('open', { kind: 'open' });
    for (const run of ['old', 'young', 'open', 'another-s']) sh(repository.identity, 'update-ref', runRef(run, 'a/b', 1), 'HEAD');
    sh(repository.identity, 'update-ref', runRef('old', 'c', 2), 'HEAD');
    const { swept } = await sweep();
    expect(swept.filter(({ kind }) => kind === 'refs')).toMatchObject([{ run: 'old', workflowId: 'w-old', done: 'removed' }]);
    expect(runRefsIn(repository)).toEqual([runRef('another-s', 'a/b', 1), runRef('open', 'a/b', 1), runRef('young', 'a/b', 1)]);
    expect((await refNotes(root).list()).map(({ run }) => run).sort()).toEqual(['open', 'young']);
  });

  test('of a run that the server has forgotten count from when that was seen', async () => {
    const { repository, lives, made, sweep } = await host();
    await made('r1', 'a');
    sh(repository.identity, 'update-ref', runRef('r1', 'a', 1), 'HEAD');
    lives.set('r1', { kind: 'unknown' });
    await sweep();
    await sweep({ nowMs: NOW + 30 * DAY - 1 });
    expect(runRefsIn(repository)).toHaveLength(1);
    await sweep({ nowMs: NOW + 30 * DAY });
    expect(runRefsIn(repository)).toEqual([]);
  });

  test('stay if an ended run was opened again', async () => {
    const { repository, lives, made, sweep } = await host();
    await made('r1', 'a');
    sh(repository.identity, 'update-ref', runRef('r1', 'a', 1), 'HEAD');
    await sweep();
    lives.set('r1', { kind: 'open' });
    await sweep({ nowMs: NOW + 400 * DAY });
    expect(runRefsIn(repository)).toHaveLength(1);
  });

  test('are removed at a URL, and at a remote, even if the checkout has another by its name now', async () => {
    const { root, repository, sweep } = await host();
    const bare = join(scratchFolder(), 'bare.git');
    sh(repository.identity, 'clone', '--quiet', '--bare', repository.identity, bare);
    sh(repository.identity, 'remote', 'add', 'origin', `file://${bare}`);
    const identity = git.remotes.identity(`file://${bare}`);
    const clone = join(root, 'clones', 'c');
    sh(repository.identity, 'clone', '--quiet', '--bare', repository.identity, clone);
    const at = { ...RECORD, storeId: root, repository: identity, checkout: clone };
    const remote = { name: 'origin', checkout: repository.identity };
    for (const [run, more] of [
      ['url', {}],
      ['remote', { remote }],
    ] as const) {
      await refNotes(root).note({ ...at, ...more, run, workflowId: `w-${run}` });
    }
    const swept = async () => (await sweep({ keepRefsMs: 0 })).swept.filter(({ kind }) => kind === 'refs').map(({ run }) => run);
    for (const run of ['url', 'remote']) sh(bare, 'update-ref', runRef(run, 'a', 1), 'HEAD');
    expect((await swept()).sort()).toEqual(['remote', 'url']);
    await refNotes(root).note({ ...at, remote, run: 'moved', workflowId: 'w-moved' });
    sh(bare, 'update-ref', runRef('moved', 'a', 1), 'HEAD');
    sh(repository.identity, 'remote', 'set-url', 'origin', 'file:///elsewhere');
    expect(await swept()).toEqual(['moved']);
    expect(sh(bare, 'for-each-ref', 'refs/thermidor/')).toBe('');
  });

  test('are reported if they cannot be reached, and removed later', async () => {
    const { root, repository, sweep } = await host();
    const bare = join(scratchFolder(), 'bare.git');
    const clone = join(root, 'clones', 'c');
    sh(repository.identity, 'clone', '--quiet', '--bare', repository.identity, clone);
    await refNotes(root).note({
      ...RECORD,
      storeId: root,
      run: 'r1',
      repository: git.remotes.identity(`file://${bare}`),
      checkout: clone,
    });
    expect((await sweep({ keepRefsMs: 0 })).swept).toMatchObject([{ kind: 'refs', done: 'failed' }]);
    sh(repository.identity, 'clone', '--quiet', '--bare', repository.identity, bare);
    sh(bare, 'update-ref', runRef('r1', 'a', 1), 'HEAD');
    expect((await sweep({ keepRefsMs: 0 })).swept).toMatchObject([{ kind: 'refs', done: 'removed' }]);
    expect(sh(bare, 'for-each-ref', 'refs/thermidor/')).toBe('');
  });
});

describe('what killed workers left half-made', () => {
  test('goes by age: files after an hour, folders of git and halves of clones after a day', async () => {
    const { root, sweep } = await host();
    for (const folder of ['scratch', 'clones']) mkdirSync(join(root, folder));
    for (const name of ['young', 'old']) {
      writeFileSync(join(root, 'scratch', name), '');
      for (const at of ['scratch/thermidor-index-', 'clones/c.partial-', 'clones/whole-']) mkdirSync(join(root, `${at}${name}`));
    }
    age(join(root, 'scratch', 'old'), HOUR + 1000);
    age(join(root, 'scratch', 'young'), HOUR - 1000);
    for (const at of ['scratch/thermidor-index-old', 'clones/c.partial-old', 'clones/whole-old']) age(join(root, at), DAY + 1000);
    await sweep({ dryRun: true });
    expect(readdirSync(join(root, 'scratch'))).toHaveLength(4);
    await sweep();
    expect(readdirSync(join(root, 'scratch')).sort()).toEqual(['thermidor-index-young', 'young']);
    expect(readdirSync(join(root, 'clones')).sort()).toEqual(['c.partial-young', 'whole-old', 'whole-young']);
  });

  test('what a clone keeps of commits that were brought there goes after a week, and their objects stay', async () => {
    const { root, repository, sweep } = await host();
    const clone = join(root, 'clones', 'c');
    sh(repository.identity, 'clone', '--quiet', '--bare', repository.identity, clone);
    const commits = ['old', 'young'].map((name) => sh(clone, 'commit-tree', '-m', name, 'HEAD^{tree}'));
    for (const commit of commits) sh(clone, 'update-ref', `refs/kept/${commit}`, commit);
    age(join(clone, 'refs/kept', commits[0] ?? ''), 7 * DAY + 1000);
    const kept = () => readdirSync(join(clone, 'refs/kept'));
    expect((await sweep({ dryRun: true })).swept).toMatchObject([{ kind: 'refs', done: 'removed' }]);
    expect(kept()).toHaveLength(2);
    await sweep();
    expect(kept()).toEqual([commits[1]]);
    expect(commits.map((commit) => sh(clone, 'cat-file', '-t', commit))).toEqual(['commit', 'commit']);
  });

  test('clones go a week after their last use, unless a worktree or a run’s refs need them', async () => {
    const { root, sweep } = await host();
    const at = (name: string) => join(root, 'clones', name);
    for (const name of ['unused', 'young', 'used', 'linked', 'noted']) {
      mkdirSync(at(name), { recursive: true });
      if (name === 'linked') mkdirSync(join(at(name), 'worktrees', 'w'), { recursive: true });
      age(at(name), name === 'young' ? DAY : 7 * DAY + 1000);
    }
    const open = { ...RECORD, host: 'other' };
    await worktreeRecords(root).write({ ...open, run: 'r1', checkout: at('used') });
    await refNotes(root).note({ ...open, run: 'r2', repository: 'https://example.org/api.git', checkout: at('noted') });
    // Refs in a repository on this host are removed without a clone.
    await refNotes(root).note({ ...open, run: 'r3', repository: '/srv/api', checkout: at('unused') });
    const { swept } = await sweep();
    expect(swept.filter(({ kind }) => kind === 'clone')).toMatchObject([{ what: at('unused'), done: 'removed' }]);
    expect(readdirSync(join(root, 'clones')).sort()).toEqual(['linked', 'noted', 'used', 'young']);
  });
});

function headOf({ identity }: Repository): string {
  return sh(identity, 'rev-parse', 'HEAD');
}

function branches({ identity }: Repository): string[] {
  return sh(identity, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/').split('\n');
}

function runRefsIn({ identity }: Repository): string[] {
  return sh(identity, 'for-each-ref', '--format=%(refname)', 'refs/thermidor/').split('\n').filter(Boolean);
}

function age(path: string, ms: number): void {
  const at = new Date(NOW - ms);
  utimesSync(realpathSync(path), at, at);
}
