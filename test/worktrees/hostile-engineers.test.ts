import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Setup } from '../../activities/worktree-port';
import { runRef } from '../../plan/run/run-ref';
import { commit, never, newRepository, SIGNATURE, scratchFolder, sh, write } from '../git/scene';
import { sweepCount } from '../support/sweep';
import { KEY, newHost, opened, place } from './host-scene';

const REF = runRef(KEY.run, 'build', 1);

/** Every byte of a person's repository, except objects and the refs of runs. */
function ofPerson(folder: string): unknown {
  const files = readdirSync(join(folder, '.git'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/\.git\/(objects|refs\/thermidor|logs\/refs\/thermidor)\//.test(path));
  return [
    sh(folder, 'for-each-ref')
      .split('\n')
      .filter((line) => !line.includes('refs/thermidor/')),
    Object.fromEntries(files.sort().map((path) => [path, readFileSync(path, 'latin1')])),
  ];
}

/** A repository with a branch, a tag and settings of its own. */
function personsRepository(): string {
  const folder = newRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  sh(folder, 'branch', 'feature');
  sh(folder, 'tag', 'v1');
  sh(folder, 'config', 'alias.st', 'status');
  sh(folder, 'remote', 'add', 'origin', 'https://ada:secret@example.org/api.git');
  sh(folder, 'status');
  return folder;
}

describe('what an engineer does by git in a worktree of a path', () => {
  it('does not reach the repository: not its branches, tags, configuration, hooks or checkout', async () => {
    const folder = personsRepository();
    const before = ofPerson(folder);
    const { tree, save, close } = await opened({}, { folder });
    const git = (...argv: string[]) => sh(tree.folder, ...argv);
    const own = commit(tree.folder, 'own', { 'own.txt': '1' });
    git('update-ref', 'refs/heads/main', own);
    git('branch', '--force', 'feature', own);
    git('tag', '--delete', 'v1');
    git('tag', 'v2');
    git('stash', 'store', own);
    git('config', 'core.fsmonitor', 'touch /nowhere');
    git('config', 'alias.st', '!false');
    git('remote', 'add', 'backup', '/nowhere');
    mkdirSync(git('rev-parse', '--git-path', 'hooks'), { recursive: true });
    writeFileSync(join(git('rev-parse', '--git-path', 'hooks'), 'pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    git('checkout', '--quiet', 'main');
    git('branch', '-D', 'feature');
    git('reflog', 'expire', '--all', '--expire=now');
    git('gc', '--quiet', '--prune=now');
    git('worktree', 'prune');
    write(tree.folder, { 'c.txt': 'c' });
    const made = await save();
    expect(ofPerson(folder)).toEqual(before);
    expect(sh(folder, 'log', '--format=%s', REF)).toBe('work\nown\nfirst');
    await close();
    expect([ofPerson(folder), sh(folder, 'for-each-ref', '--format=%(objectname)', 'refs/thermidor')]).toEqual([before, made]);
    expect([sh(folder, 'status', '--porcelain'), sh(folder, 'fsck', '--no-dangling')]).toEqual(['', '']);
  });

  it('does not reach the worktree of another engineer', async () => {
    const folder = personsRepository();
    const host = newHost(folder);
    const [bad, good] = [await opened({}, { folder, host, at: place('bad') }), await opened({}, { folder, host, at: place('good') })];
    write(good.tree.folder, { 'good.txt': '1' });
    const first = await good.save();
    expect(sh(bad.tree.folder, 'for-each-ref', '--format=%(refname)')).toBe(`refs/heads/${bad.tree.branch}\nrefs/tags/v1`);
    expect(sh(bad.tree.folder, 'config', '--list', '--local')).not.toMatch(/secret|remote|alias/);
    sh(bad.tree.folder, 'config', 'user.name', 'Mallory');
    sh(bad.tree.folder, 'update-ref', `refs/heads/${good.tree.branch}`, 'HEAD');
    sh(bad.tree.folder, 'gc', '--quiet', '--prune=now');
    rmSync(sh(bad.tree.folder, 'rev-parse', '--path-format=absolute', '--git-common-dir'), { recursive: true });
    expect([sh(good.tree.folder, 'rev-parse', 'HEAD'), sh(good.tree.folder, 'status', '--porcelain')]).toEqual([first, '']);
    write(good.tree.folder, { 'more.txt': '1' });
    expect(sh(folder, 'rev-parse', `${await good.save()}^`)).toBe(first);
  });
});

/** Ways to make git execute the program `RUN`, if a worktree's configuration counts. Each has a file to which its filter applies. */
const WAYS: Record<string, (git: (...argv: string[]) => string, folder: string) => void> = {
  // This way comes first: git makes a commit here, which some of the others would prevent.
  'a submodule': (git, folder) => {
    const sub = join(folder, 'sub');
    sh('/', 'init', '--quiet', sub);
    const head = commit(sub, 'sub', { 'x.txt': '1' });
    sh(sub, 'config', 'core.fsmonitor', 'RUN');
    sh(sub, 'config', 'filter.evil.clean', 'RUN; cat');
    write(sub, { 'x.txt': '2', '.gitattributes': '* filter=evil\n' });
    git('update-index', '--add', '--cacheinfo', `160000,${head},sub`);
    git('-c', 'core.fsmonitor=', 'commit', '--quiet', '-m', 'with a submodule');
  },
  'a filter': (git, folder) => {
    git('config', 'filter.evil.clean', 'RUN; cat');
    git('config', 'filter.evil.smudge', 'RUN; cat');
    attribute(folder, 'a.txt filter=evil');
  },
  'a filter of the worktree': (git, folder) => {
    git('config', 'extensions.worktreeConfig', 'true');
    git('config', '--worktree', 'filter.own.clean', 'RUN; cat');
    git('config', '--worktree', 'filter.process.process', 'RUN');
    attribute(folder, 'b.txt filter=own\nc.txt filter=process');
  },
  'a file that is included': (git, folder) => {
    git('config', 'include.path', join(folder, 'included'));
    write(folder, { included: '[filter "included"]\n\tclean = "RUN; cat"\n' });
    attribute(folder, 'new.txt filter=included');
  },
  'a monitor of files': (git) => void git('config', 'core.fsmonitor', 'RUN'),
  hooks: (git, folder) => {
    mkdirSync(join(folder, 'hooks'));
    for (const name of ['pre-commit', 'post-commit', 'post-checkout', 'pre-push', 'reference-transaction', 'post-index-change']) {
      writeFileSync(join(folder, 'hooks', name), '#!/bin/sh\nRUN\n', { mode: 0o755 });
    }
    git('config', 'core.hooksPath', join(folder, 'hooks'));
  },
  'programs of diffs and merges': (git, folder) => {
    git('config', 'diff.external', 'RUN');
    git('config', 'diff.evil.textconv', 'RUN');
    git('config', 'diff.evil.command', 'RUN');
    git('config', 'merge.evil.driver', 'RUN');
    attribute(folder, '* diff=evil merge=evil');
  },
  'ways to remotes': (git) => {
    git('config', 'core.sshCommand', 'RUN');
    git('config', 'credential.helper', '!RUN');
    git('config', 'url.ext::RUN.insteadOf', '/');
    git('config', 'url.ext::RUN.pushInsteadOf', '/');
    git('config', 'core.alternateRefsCommand', 'RUN');
    git('config', 'uploadpack.packObjectsHook', 'RUN');
  },
  'signatures and editors': (git) => {
    git('config', 'commit.gpgSign', 'true');
    git('config', 'gpg.program', 'RUN');
    git('config', 'core.editor', 'RUN');
    git('config', 'core.pager', 'RUN');
  },
};

function attribute(folder: string, lines: string): void {
  appendFileSync(join(folder, '.gitattributes'), `${lines}\n`);
}

/** All ways in one worktree; and each alone, so that none hides another. */
const SCENES: [string, string[]][] = [
  ['all of these', Object.keys(WAYS)],
  ...Object.keys(WAYS).map((way): [string, string[]] => [way, [way]]),
];

describe('a program that an engineer sets up in a worktree', () => {
  it.each(SCENES.slice(0, sweepCount(1, SCENES.length)))(
    'does not run in calls of the host, there or in another worktree: %s',
    async (_, ways) => {
      const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };
      const folder = newRepository(files);
      const host = newHost(folder);
      const bad = await opened({}, { folder, host, at: place('bad') });
      const good = await opened({}, { folder, host, at: place('good') });
      const proofs = scratchFolder();
      for (const [i, way] of ways.entries()) {
        const named = (text: string) => text.replaceAll('RUN', `touch '${join(proofs, String(i))}'`);
        const before = new Set(readdirSync(bad.tree.folder, { recursive: true, encoding: 'utf8' }));
        WAYS[way]?.((...argv) => sh(bad.tree.folder, ...argv.map(named)), bad.tree.folder);
        for (const name of readdirSync(bad.tree.folder, { recursive: true, encoding: 'utf8' })) {
          if (!before.has(name) && /included$|hooks\/[\w-]+$|sub\/\.git\/config$/.test(name))
            replaceText(join(bad.tree.folder, name), named);
        }
      }
      for (const name of readdirSync(proofs)) rmSync(join(proofs, name));
      for (const one of [bad, good]) {
        // The files are as new as the index, so git has to read them.
        write(one.tree.folder, { 'a.txt': 'x\n', 'c.txt': 'x\n', 'new.txt': '1' });
        const made = await one.save();
        await one.open();
        await one.worktrees.push(one.at, one.plan, never);
        write(one.tree.folder, { 'b.txt': 'y\n' });
        await one.worktrees.restore(one.at, one.plan, made, never);
        await one.worktrees.restore(one.at, one.plan, one.plan.base, never);
        await one.close();
      }
      await opened({}, { folder, host, at: place('later') });
      expect(readdirSync(proofs).map((i) => ways[Number(i)])).toEqual([]);
    },
  );
});

function replaceText(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, 'utf8');
  writeFileSync(`${path}~`, change(text), { mode: 0o755 });
  renameSync(`${path}~`, path);
}

describe('what an engineer leaves running', () => {
  /** Writes as long as it lives, and reports this in a file of its own. */
  const script = (ignores: string) => `
    ${ignores}
    const { appendFileSync, writeFileSync } = require('node:fs');
    setInterval(() => { try { writeFileSync('a.txt', 'of a zombie'); appendFileSync(process.argv[1], 'z'); } catch {} }, 5);`;

  it.each([
    ['that ignores SIGTERM', `process.on('SIGTERM', () => {});`],
    ['in a session of its own', ''],
  ])('a process %s has ended when its work is saved, and what is saved does not change any more', async (_, ignores) => {
    const { tree, save, folder } = await opened();
    write(tree.folder, { 'a.txt': 'mine\n' });
    const alive = join(scratchFolder(), 'alive');
    const child = spawn(process.execPath, ['-e', script(ignores), alive], {
      ...{ cwd: tree.folder, env: { ...process.env, ...tree.env }, detached: true, stdio: 'ignore' },
    });
    const ended = once(child, 'exit');
    while (!existsSync(alive)) await nextTurn();
    const made = await save();
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(readFileSync(join(tree.folder, 'a.txt'), 'utf8')).toBe(sh(folder, 'show', `${made}:a.txt`));
    expect(sh(tree.folder, 'status', '--porcelain')).toBe('');
  });

  it('does not end what `setup` has started: the steps use it', async () => {
    const folder = newRepository();
    const host = newHost(folder);
    const plan = await host.worktrees.resolve({}, never);
    const servers: ReturnType<typeof spawn>[] = [];
    const setup: Setup = async (where, env) =>
      void servers.push(spawn('sleep', ['300'], { cwd: where, env: { ...process.env, ...env }, detached: true, stdio: 'ignore' }));
    await host.worktrees.open(place(), plan, plan.base, setup, never);
    await host.worktrees.save(place(), plan, { message: 'work', signature: SIGNATURE }, never);
    const [server] = servers;
    expect(server?.signalCode).toBeNull();
    const ended = once(server ?? process, 'exit');
    await host.worktrees.close(place(), plan, () => Promise.resolve(), never);
    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});

describe('a branch without commits, by `git checkout --orphan`', () => {
  it('is left when its work is saved: the work is on top of what it had', async () => {
    const { tree, save, plan } = await opened();
    sh(tree.folder, 'checkout', '-q', '--orphan', 'new');
    sh(tree.folder, 'rm', '-rfq', '.');
    write(tree.folder, { 'b.txt': 'b' });
    const made = await save();
    expect([sh(tree.folder, 'symbolic-ref', '--short', 'HEAD'), sh(tree.folder, 'rev-parse', `${made}^`)]).toEqual([
      tree.branch,
      plan.base,
    ]);
    expect(sh(tree.folder, 'ls-files')).toBe('b.txt');
  });

  it('is left when the worktree is brought up to date', async () => {
    const { tree, folder, worktrees, at, plan } = await opened();
    sh(tree.folder, 'checkout', '-q', '--orphan', 'new');
    write(tree.folder, { 'b.txt': 'b' });
    const onto = commit(folder, 'target', { 'c.txt': 'c' });
    await worktrees.update(at, plan, { onto, message: 'on top\n', signature: SIGNATURE }, never);
    expect(sh(tree.folder, 'symbolic-ref', '--short', 'HEAD')).toBe(tree.branch);
    expect(sh(tree.folder, 'merge-base', 'HEAD', onto)).toBe(onto);
    expect(sh(tree.folder, 'ls-files').split('\n')).toEqual(expect.arrayContaining(['b.txt', 'c.txt']));
  });

  it('with a commit has no history in common with the target', async () => {
    const { tree, folder, save, plan } = await opened();
    sh(tree.folder, 'checkout', '-q', '--orphan', 'new');
    commit(tree.folder, 'all mine', { 'b.txt': 'b' });
    const made = await save();
    expect(() => sh(folder, 'merge-base', made, plan.base)).toThrow();
  });
});
