import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createGit } from '../../activities/adapters/git/git';
import { gitRunner } from '../../activities/adapters/git/git-process';
import { commit, commitOn, never, newGit, newRepository, problemOf, SIGNATURE, scene, scratchFolder, sh, write } from './scene';

const HOOKS = [
  ...['applypatch-msg', 'pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-checkout', 'post-merge', 'pre-merge-commit'],
  ...['pre-push', 'reference-transaction', 'post-index-change', 'pre-rebase', 'post-rewrite', 'fsmonitor-watchman', 'pre-auto-gc'],
];

/** A fifo that every process with its path holds open: a reader gets the end when the last of these is gone. */
async function lifeline(): Promise<{ path: string; begun: Promise<unknown>; ended: Promise<unknown> }> {
  const path = join(scratchFolder(), 'fifo');
  spawnSync('mkfifo', [path]);
  const lines = open(path, 'r').then((file) => file.readLines()[Symbol.asyncIterator]());
  const begun = lines.then((reader) => reader.next());
  return { path, begun, ended: begun.then(async () => (await lines).next()) };
}

/** Reports that it runs, and then waits with a child of its own. */
const hanging = (fifo: string) => `#!/bin/sh\nexec >'${fifo}' 2>&1\necho running\nsleep 300 & sleep 300\n`;

function hook(repository: string, name: string, script: string): void {
  mkdirSync(join(repository, 'hooks'), { recursive: true });
  writeFileSync(join(repository, 'hooks', name), script);
  chmodSync(join(repository, 'hooks', name), 0o755);
}

describe('what a repository or the host has set up', () => {
  it('runs no hook, editor, pager, signature or monitor', async () => {
    const { git, repository, folder, head } = await scene({ 'a.txt': 'a\n' });
    const [onto, proof] = [commitOn(folder, head, { c: '1' }), scratchFolder()];
    for (const name of HOOKS) hook(join(folder, '.git'), name, `#!/bin/sh\ntouch '${proof}/${name}'\nexit 1\n`);
    for (const [key, value] of Object.entries({
      'core.hooksPath': join(folder, '.git/hooks'),
      'core.fsmonitor': `touch ${proof}/fsmonitor;`,
      'core.editor': `touch ${proof}/editor;`,
      'sequence.editor': `touch ${proof}/editor;`,
      'core.pager': `touch ${proof}/pager;`,
      'diff.external': `touch ${proof}/diff;`,
      'commit.gpgSign': 'true',
      'gpg.program': `${proof}/gpg`,
      'core.bigFileThreshold': '1',
      'status.showUntrackedFiles': 'no',
      'status.renames': 'false',
      'merge.ff': 'only',
    })) {
      sh(folder, 'config', key, value);
    }
    const one = await git.worktrees.add(repository, { path: join(scratchFolder(), 'w'), commit: head, branch: 'work' }, never);
    write(one.path, { 'b.txt': 'b' });
    expect((await git.worktrees.status(one, never)).changes).toHaveLength(1);
    const { commit: made } = await git.commits.commitAll(one, { message: 'work', signature: SIGNATURE }, never);
    await git.diffs.patch(repository, { from: head, to: made }, 10_000, never);
    expect(
      (await git.merges.merge(repository, { onto, candidate: made, strategy: 'merge', message: 'm', signature: SIGNATURE }, never)).kind,
    ).toBe('merged');
    await git.worktrees.moveTo(one, onto, { discard: 'everything' }, never);
    await git.refs.advance(repository, { ref: 'refs/heads/main', from: head, to: onto }, never);
    await git.refs.compareAndSwap(repository, { ref: 'refs/thermidor/x', from: undefined, to: made }, never);
    const origin = join(scratchFolder(), 'origin.git');
    sh('/', 'clone', '--quiet', '--bare', newRepository(), origin);
    await git.remotes.compareAndSwap(repository, origin, { ref: 'refs/thermidor/x', from: undefined, to: made }, never);
    await git.worktrees.remove(repository, one.path, never);
    expect(readdirSync(proof)).toEqual([]);
    expect(sh(folder, 'log', '-1', '--format=%G?', made)).toBe('N');
  });

  it('is not what the host’s user and system have', async () => {
    const home = scratchFolder();
    write(home, {
      '.gitconfig':
        '[user]\n\tname = Host\n[core]\n\tautocrlf = true\n\texcludesFile = ~/ignored\n[commit]\n\tgpgSign = true\n[status]\n\tshort = true\n',
      ignored: 'b.txt\n',
      '.config/git/ignore': 'b.txt\n',
      '.config/git/attributes': '* text eol=crlf\n',
    });
    const environment = {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      GIT_AUTHOR_NAME: 'Env',
      GIT_CONFIG_PARAMETERS: "'core.bare'='true'",
    };
    const { repository, head } = await scene();
    const git = newGit({ environment });
    const one = await git.worktrees.add(repository, { path: join(scratchFolder(), 'w'), commit: head, branch: 'work' }, never);
    expect(readFileSync(join(one.path, 'a.txt'), 'utf8')).toBe('a\n');
    write(one.path, { 'b.txt': 'b\r\n' });
    const { commit: made } = await git.commits.commitAll(one, { message: 'work', signature: SIGNATURE }, never);
    expect(sh(repository.identity, 'log', '-1', '--format=%an', made)).toBe('Ada');
    expect(sh(repository.identity, 'cat-file', '-s', `${made}:b.txt`)).toBe('3');
  });
});

describe('git that hangs', () => {
  /** A filter that the repository itself has configured is the only program that may run in a worktree. */
  async function withFilter(fifo: string, settings: Parameters<typeof newGit>[0] = {}) {
    const here = await scene({ 'a.txt': 'a\n' }, settings);
    const script = join(scratchFolder(), 'filter');
    writeFileSync(script, hanging(fifo), { mode: 0o755 });
    sh(here.folder, 'config', 'filter.slow.clean', script);
    sh(here.folder, 'config', 'filter.slow.required', 'true');
    const one = await here.git.worktrees.add(
      here.repository,
      { path: join(scratchFolder(), 'w'), commit: here.head, branch: 'work' },
      never,
    );
    write(one.path, { '.gitattributes': '*.slow filter=slow\n', 'b.slow': 'b' });
    return { ...here, one };
  }

  it('is ended with all it has started when it is called off, and leaves no lock', async () => {
    const { path, begun, ended } = await lifeline();
    const { git, repository, one } = await withFilter(path);
    const off = new AbortController();
    const work = git.commits.commitAll(one, { message: 'x', signature: SIGNATURE }, off.signal);
    await begun;
    off.abort(new Error('called off'));
    await expect(work).rejects.toThrow('called off');
    expect(await ended).toMatchObject({ done: true });
    expect(await git.locks.list(repository)).toEqual([]);
  });

  it('is ended at its timeout', async () => {
    const { path, ended } = await lifeline();
    const { git, repository, one } = await withFilter(path, { localTimeoutMs: 1500 });
    expect(await problemOf(git.commits.commitAll(one, { message: 'x', signature: SIGNATURE }, never))).toBe('command.timeout/timeout');
    expect(await ended).toMatchObject({ done: true });
    expect(await git.locks.list(repository)).toEqual([]);
  });

  it('because of a hook of the remote is ended with the hook, and nothing has moved', async () => {
    const { path, begun, ended } = await lifeline();
    const origin = join(scratchFolder(), 'origin.git');
    sh('/', 'clone', '--quiet', '--bare', newRepository(), origin);
    hook(origin, 'pre-receive', hanging(path));
    const { git, repository, head } = await scene();
    const off = new AbortController();
    const work = git.remotes.compareAndSwap(repository, origin, { ref: 'refs/thermidor/x', from: undefined, to: head }, off.signal);
    await begun;
    off.abort(new Error('called off'));
    await expect(work).rejects.toThrow('called off');
    expect(await ended).toMatchObject({ done: true });
    rmSync(join(origin, 'hooks'), { recursive: true });
    expect(await git.remotes.list(origin, 'refs/thermidor/', never)).toEqual([]);
    expect(await git.remotes.compareAndSwap(repository, origin, { ref: 'refs/thermidor/x', from: undefined, to: head }, never)).toEqual({
      kind: 'moved',
    });
  });

  it('dies with a worker that is killed by SIGKILL', async () => {
    const { path, begun, ended } = await lifeline();
    const { one, repository } = await withFilter(path);
    const built = join(__dirname, '../../dist/activities/adapters/git/git.js');
    const code = `const { createGit } = require(${JSON.stringify(built)});
      const [one, signature] = ${JSON.stringify([one, SIGNATURE])};
      createGit({ environment: process.env }).commits.commitAll(one, { message: 'x', signature }, new AbortController().signal);`;
    const worker = spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
    await begun;
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    expect(await ended).toMatchObject({ done: true });
    // The process group had no chance to clean up, so a lock remains; it counts as old as soon as no process owns it.
    const git = createGit({ environment: process.env });
    expect(await git.locks.clear(repository, 0)).toMatchObject([{ path: join(one.gitDir, 'index.lock') }]);
    sh(repository.gitDir, 'config', '--unset', 'filter.slow.clean');
    sh(repository.gitDir, 'config', '--unset', 'filter.slow.required');
    expect((await git.commits.commitAll(one, { message: 'x', signature: SIGNATURE }, never)).kind).toBe('committed');
  });

  it('holds its lock against everybody who would clear it', async () => {
    const { path, begun } = await lifeline();
    const { git, repository, one, head } = await withFilter(path);
    const off = new AbortController();
    const work = git.commits.commitAll(one, { message: 'x', signature: SIGNATURE }, off.signal);
    await begun;
    expect(await git.locks.list(repository)).toMatchObject([{ path: join(one.gitDir, 'index.lock'), owner: expect.any(Number) }]);
    expect(await git.locks.clear(repository, 0)).toEqual([]);
    expect(await problemOf(git.worktrees.moveTo(one, head, { discard: 'changes' }, never))).toBe('repository.locked/locked');
    off.abort(new Error('called off'));
    await expect(work).rejects.toThrow('called off');
  });
});

describe('a question that hangs', () => {
  async function asked(settings: Parameters<typeof newGit>[0]) {
    const { repository } = await scene();
    const bin = scratchFolder();
    const { path, begun, ended } = await lifeline();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\nexec >'${path}' 2>&1\necho asked\nexec sleep 300\n`, { mode: 0o755 });
    return {
      repository,
      begun,
      ended,
      git: newGit({ environment: { ...process.env, PATH: `${bin}:${process.env['PATH']}` }, ...settings }),
    };
  }

  it('is ended when it is called off', async () => {
    const { git, repository, begun, ended } = await asked({});
    const off = new AbortController();
    const answer = git.repositories.resolve(repository, 'main', off.signal);
    await begun;
    off.abort(new Error('called off'));
    await expect(answer).rejects.toThrow('called off');
    expect(await ended).toMatchObject({ done: true });
    await expect(git.repositories.resolve(repository, 'main', off.signal)).rejects.toThrow('called off');
  });

  it('is ended at its timeout', async () => {
    const { git, repository, ended } = await asked({ localTimeoutMs: 500 });
    expect(await problemOf(git.refs.read(repository, 'refs/heads/main', never))).toBe('command.timeout/timeout');
    expect(await ended).toMatchObject({ done: true });
  });
});

describe('work of several processes', () => {
  /** A git whose nth process is killed, before it has done anything or just before it ends. */
  function mortalGit(when: 'before' | 'after') {
    const bin = scratchFolder();
    const real = join(sh('/', '--exec-path'), 'git');
    const count = `n=$(($(cat '${bin}/count') - 1))\necho $n >'${bin}/count'\n`;
    const kill = '[ $n = 0 ] && kill -9 $$\n';
    const lines = when === 'before' ? `${kill}exec ${real} "$@"\n` : `${real} "$@"\ncode=$?\n${kill}exit $code\n`;
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${count}${lines}`, { mode: 0o755 });
    const git = newGit({ environment: { ...process.env, PATH: `${bin}:${process.env['PATH']}` } });
    return { git, killNth: (nth: number) => writeFileSync(join(bin, 'count'), `${nth}`) };
  }

  it.each([
    ['before', [1, 4, 9]],
    ['after', [14]],
  ] as const)('a merge changes nothing when it is killed, and is the same when made again: %s', async (when, kills) => {
    const { repository, folder, head } = await scene({ 'a.txt': 'a\n' });
    const candidate = commitOn(folder, commitOn(folder, head, { 'b.txt': 'b' }), { 'c.txt': 'c' });
    const onto = commitOn(folder, head, { 'd.txt': 'd' });
    const request = { onto, candidate, strategy: 'rebase' as const, message: 'm', signature: SIGNATURE };
    const refs = sh(folder, 'for-each-ref');
    const whole = await newGit().merges.merge(repository, request, never);
    const { git, killNth } = mortalGit(when);
    for (const nth of kills) {
      killNth(nth);
      await expect(git.merges.merge(repository, request, never)).rejects.toMatchObject({ code: 'git.killed' });
    }
    killNth(1000);
    expect(await git.merges.merge(repository, request, never)).toEqual(whole);
    expect([sh(folder, 'for-each-ref'), sh(folder, 'status', '--porcelain'), sh(folder, 'fsck', '--no-dangling')]).toEqual([refs, '', '']);
  });

  it.each([
    ['KILL', 'git.killed'],
    ['TERM', 'git.killed'],
    ['SEGV', 'git.failed'],
  ] as const)('git that ends by SIG%s is %s', async (signal, code) => {
    const { folder } = await scene({ 'a.txt': 'a\n' });
    const bin = scratchFolder();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\nkill -${signal} $$\n`, { mode: 0o755 });
    const run = gitRunner(
      { environment: { ...process.env, PATH: `${bin}:${process.env['PATH']}` } },
      { localMs: 60_000, networkMs: 60_000 },
    );
    await expect(run({ at: { gitDir: join(folder, '.git') }, argv: ['write-tree'] }, never)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`git write-tree was ended by SIG${signal}`),
    });
  });

  it.each([
    ['before', [1, 3, 5, 6]],
    ['after', [6]],
  ] as const)('an advance is completed when it is killed and made again: %s', async (when, kills) => {
    for (const nth of kills) {
      const { repository, folder, head } = await scene({ 'a.txt': 'a\n' });
      const to = commitOn(folder, head, { 'a.txt': 'A\n', 'new/b.txt': 'b\n' });
      const swap = { ref: 'refs/heads/main', from: head, to };
      const { git, killNth } = mortalGit(when);
      killNth(nth);
      const first = await git.refs.advance(repository, swap, never).catch(({ code }) => code);
      killNth(1000);
      const second = await git.refs.advance(repository, swap, never);
      expect([nth, second.kind, first, sh(folder, 'rev-parse', 'main'), sh(folder, 'status', '--porcelain')]).toEqual([
        nth,
        expect.stringMatching(/^(moved|already)$/),
        expect.anything(),
        to,
        '',
      ]);
    }
  });
});

describe('a disk that is full', () => {
  const mounted = scratchFolder();
  const hasMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'thermidor-git-test', mounted]).status === 0;
  afterAll(() => {
    if (hasMount) spawnSync('umount', ['-l', mounted]);
  });

  const shown = hasMount
    ? 'fails as such, and what is freed goes on where it was'
    : 'is not shown: a small one is mounted by root, on Linux';
  it(shown, async () => {
    if (!hasMount) return expect(existsSync(mounted)).toBe(true);
    const folder = newRepository({ 'a.txt': 'a\n' }, join(mounted, 'r'));
    const git = newGit();
    const repository = await git.repositories.open(folder, never);
    const head = sh(folder, 'rev-parse', 'HEAD');
    const one = await git.worktrees.add(repository, { path: join(mounted, 'w'), commit: head, branch: 'work' }, never);
    const { bavail, bsize } = statfsSync(mounted);
    write(one.path, { 'b.bin': execFileSync('head', ['-c', '300000', '/dev/urandom']).toString('base64') });
    writeFileSync(join(mounted, 'filler'), Buffer.alloc(bavail * bsize - 600_000));
    expect(await problemOf(git.commits.commitAll(one, { message: 'x', signature: SIGNATURE }, never))).toBe('repository.full/disk-full');
    expect(sh(folder, 'rev-parse', 'work')).toBe(head);
    rmSync(join(mounted, 'filler'));
    expect(await git.locks.list(repository)).toEqual([]);
    expect((await git.commits.commitAll(one, { message: 'x', signature: SIGNATURE }, never)).kind).toBe('committed');
    expect(existsSync(join(one.gitDir, 'index.lock'))).toBe(false);
    return expect(commit(folder, 'still works')).not.toBe(head);
  });
});
