import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Setup } from '../../activities/worktree-port';
import { ThermidorFailure } from '../../plan/run/failure';
import { runBranch, runRef } from '../../plan/run/run-ref';
import { commit, never, newRepository, problemOf, scratchFolder, sh, shBytes, write } from '../git/scene';
import { sweep } from '../support/sweep';
import { cloneIn, KEY, newHost, noSetup, opened, PORTS, place } from './host-scene';

const REF = runRef(KEY.run, 'build', 1);

async function codeOf(work: Promise<unknown>): Promise<string> {
  const failure = await work.catch((error: unknown) => error);
  if (!(failure instanceof ThermidorFailure)) throw failure;
  return failure.code;
}

describe('a worktree', () => {
  it('lies in no checkout, on a branch of its own, with ports of its own', async () => {
    const { folder, root, plan, tree, records, at } = await opened();
    expect(tree).toMatchObject({ commit: plan.base, branch: runBranch(KEY.run, 'build', 1) });
    expect(tree.folder.startsWith(join(root, 'trees/build-'))).toBe(true);
    expect([sh(tree.folder, 'symbolic-ref', '--short', 'HEAD'), sh(tree.folder, 'status', '--porcelain')]).toEqual([tree.branch, '']);
    const port = Number(tree.env['THERMIDOR_PORT_BASE']);
    expect([port >= PORTS.from, port % PORTS.block]).toEqual([true, 0]);
    const { run, slot, epoch } = { ...at, run: at.key.run };
    expect(await records.read({ run, slot, epoch })).toMatchObject({
      workflowId: KEY.workflowId,
      repository: folder,
      checkout: cloneIn(root),
      folder: tree.folder,
      branch: tree.branch,
      portBase: port,
      ready: true,
    });
    expect([sh(folder, 'symbolic-ref', '--short', 'HEAD'), sh(folder, 'status', '--porcelain')]).toEqual(['main', '']);
  });

  it('is set up once, is found as it was left, and is set up again if that did not complete', async () => {
    const folder = newRepository({ 'a.txt': 'a\n' });
    const host = newHost(folder);
    const [at, plan] = [place(), await host.worktrees.resolve({}, never)];
    const calls: string[] = [];
    const setup =
      (fails: boolean): Setup =>
      async (where, env) => {
        calls.push(`${existsSync(join(where, 'half'))} ${env['THERMIDOR_PORT_BASE']}`);
        writeFileSync(join(where, 'half'), '1');
        if (fails) throw new Error('no');
      };
    await expect(host.worktrees.open(at, plan, plan.base, setup(true), never)).rejects.toThrow('no');
    const first = await host.worktrees.open(at, plan, plan.base, setup(false), never);
    write(first.folder, { 'a.txt': 'changed' });
    expect(await host.worktrees.open(at, plan, plan.base, setup(true), never)).toEqual(first);
    const port = first.env['THERMIDOR_PORT_BASE'];
    expect(calls).toEqual([`false ${port}`, `false ${port}`]);
    expect(readFileSync(join(first.folder, 'a.txt'), 'utf8')).toBe('changed');
  });

  it('is saved to the ref of its run and epoch, once or twice, and restored to any commit', async () => {
    const { folder, plan, tree, save, open, worktrees, at } = await opened();
    expect(await save()).toBe(plan.base);
    write(tree.folder, { 'b.txt': 'b' });
    const made = await save();
    expect(await save()).toBe(made);
    expect(sh(folder, 'rev-parse', REF, `${REF}^`, 'main')).toBe([made, plan.base, plan.base].join('\n'));
    expect([sh(tree.folder, 'rev-parse', tree.branch), (await open()).commit]).toEqual([made, made]);
    write(tree.folder, { 'c.txt': 'c' });
    await worktrees.restore(at, plan, plan.base, never);
    expect([readdirSync(tree.folder).sort(), (await open()).commit]).toEqual([['.git', 'a.txt'], plan.base]);
    expect(await worktrees.pushed(plan, REF, never)).toBe(made);
    expect(await worktrees.pushed(plan, runRef(KEY.run, 'other', 1), never)).toBeUndefined();
  });

  it('takes what an engineer committed: on another branch, on none, with a history of their own', async () => {
    const { folder, plan, tree, save } = await opened();
    sh(tree.folder, 'branch', 'theirs');
    const own = commit(tree.folder, 'own', { 'own.txt': '1' });
    expect(await save()).toBe(own);
    sh(tree.folder, 'commit', '--quiet', '--amend', '-m', 'rewritten');
    expect(sh(folder, 'rev-parse', `${await save()}^`)).toBe(plan.base);
    sh(tree.folder, 'checkout', '--quiet', 'theirs');
    write(tree.folder, { 'b.txt': 'b' });
    const made = await save();
    expect(sh(folder, 'rev-parse', `${made}^`, REF)).toBe([plan.base, made].join('\n'));
    expect(sh(tree.folder, 'rev-parse', 'theirs')).toBe(plan.base);
    sh(tree.folder, 'checkout', '--quiet', '--detach', plan.base);
    expect(await save()).toBe(plan.base);
    // This is the usual way to a history of one commit.
    sh(tree.folder, 'checkout', '--quiet', '--orphan', 'new');
    sh(tree.folder, 'branch', '-D', tree.branch);
    const orphan = commit(tree.folder, 'all at once');
    expect(await save()).toBe(orphan);
    expect(sh(folder, 'rev-list', '--count', REF)).toBe('1');
    expect(sh(tree.folder, 'symbolic-ref', '--short', 'HEAD')).toBe(tree.branch);
  });

  it('is pushed as it is committed while somebody is at work there', async () => {
    const { folder, plan, tree, worktrees, at } = await opened();
    const own = commit(tree.folder, 'own', { 'own.txt': '1' });
    write(tree.folder, { 'half.txt': '1' });
    writeFileSync(join(sh(tree.folder, 'rev-parse', '--absolute-git-dir'), 'index.lock'), '');
    expect(await worktrees.push(at, plan, never)).toBe(own);
    expect(sh(folder, 'rev-parse', REF)).toBe(own);
    expect(existsSync(join(tree.folder, 'half.txt'))).toBe(true);
  });

  it('goes with its branch, ports and record when it is closed; the ref stays', async () => {
    const { folder, tree, save, close, records, root } = await opened();
    write(tree.folder, { 'b.txt': 'b', '.gitignore': 'ignored\n', 'ignored/deep': '1' });
    const made = await save();
    const seen: unknown[] = [];
    const teardown: Setup = async (where, env) => void seen.push([where, env, existsSync(join(where, 'ignored/deep'))]);
    await close(teardown);
    await close(teardown);
    const { THERMIDOR_WORKTREE_STEP: _ofSteps, ...env } = tree.env;
    expect(seen).toEqual([[tree.folder, env, true]]);
    const left = ['trees', 'repositories', 'views', 'locks'].map((name) => readdirSync(join(root, name)));
    expect([...left, await records.list()]).toEqual([[], [], [], [], { records: [], unreadable: [] }]);
    expect(sh(folder, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/thermidor', 'refs/heads/thermidor')).toBe(
      `${REF} ${made}`,
    );
    expect(sh(folder, 'worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
  });

  it('is removed if its teardown fails, which is said; and stays if it is to be kept', async () => {
    const failing: Setup = () => Promise.reject(new Error('no'));
    const one = await opened();
    await expect(one.close(failing)).rejects.toThrow('no');
    expect([existsSync(one.tree.folder), (await one.records.list()).records]).toEqual([false, []]);
    const kept = await opened({ keep: true });
    await expect(kept.close(failing)).rejects.toThrow('no');
    await kept.close();
    expect(existsSync(join(kept.tree.folder, 'a.txt'))).toBe(true);
    expect((await kept.records.list()).records).toMatchObject([{ keep: true, ready: true }]);
    // The same worktree is removed if `keep` is false.
    await kept.worktrees.close(kept.at, { ...kept.plan, keep: false }, noSetup, never);
    expect([existsSync(kept.tree.folder), (await kept.records.list()).records]).toEqual([false, []]);
  });

  it('is removed if its repository is gone, and the failure of what cannot run any more is said', async () => {
    const { folder, tree, close, records } = await opened();
    rmSync(folder, { recursive: true });
    expect(await codeOf(close())).toBe('worktree.unavailable');
    await close();
    expect([existsSync(tree.folder), (await records.list()).records]).toEqual([false, []]);
  });

  it('may have a slot of any length', async () => {
    const slots = ['a'.repeat(199), `${'a'.repeat(199)}1`, `${'loop[1]/'.repeat(60)}x`];
    const folder = newRepository();
    const host = newHost(folder);
    for (const slot of slots) {
      const { save, close, plan } = await opened({}, { folder, host, at: place(slot) });
      expect(await save()).toBe(plan.base);
      await close();
    }
    expect(sh(folder, 'for-each-ref', '--format=%(refname)', 'refs/thermidor').split('\n')).toHaveLength(3);
  });

  it('is none that was never made', async () => {
    const { worktrees, plan } = await opened();
    const other = place('other');
    await worktrees.close(other, plan, noSetup, never);
    const signature = { name: 'Ada', email: 'a@b.c', atMs: 0 };
    await expect(worktrees.save(other, plan, { message: 'x', signature }, never)).rejects.toMatchObject({ code: 'store.unavailable' });
  });
});

function replaceByLink(folder: string): void {
  rmSync(folder, { recursive: true });
  symlinkSync(process.cwd(), folder);
}

describe('what an engineer does to a worktree', () => {
  it.each([
    ['deletes `.git`', (folder: string) => rmSync(join(folder, '.git'))],
    [
      'makes `.git` name the main checkout',
      (folder: string, main: string) => writeFileSync(join(folder, '.git'), `gitdir: ${main}/.git\n`),
    ],
    ['leaves a lock', (folder: string) => writeFileSync(join(sh(folder, 'rev-parse', '--absolute-git-dir'), 'index.lock'), '')],
  ])('%s: it is saved all the same, and the main checkout stays as it was', async (_, harm: (folder: string, main: string) => unknown) => {
    const { folder, tree, save, plan, open } = await opened();
    write(tree.folder, { 'b.txt': 'b' });
    harm(tree.folder, folder);
    const made = await save();
    expect(sh(folder, 'rev-parse', REF, 'main')).toBe(`${made}\n${plan.base}`);
    expect([sh(folder, 'status', '--porcelain'), sh(folder, 'show', '--name-only', '--format=', made)]).toEqual(['', 'b.txt']);
    harm(tree.folder, folder);
    expect((await open()).commit).toBe(made);
  });

  const settings: [name: string, value: string][] = [
    ['core.bare', 'true'],
    ['core.worktree', '/'],
    ['core.repositoryFormatVersion', '99'],
    ['extensions.objectFormat', 'nonsense'],
    ['commit.gpgSign', 'true'],
    ['core.hooksPath', '/bin'],
    ['core.fsmonitor', 'false'],
    ['core.excludesFile', '/dev/zero-not-there'],
    ['include.path', '/dev/zero-not-there'],
  ];
  it.each(sweep(settings, 3))('sets %s of its repository: its work is saved, and found again', async (name, value) => {
    const { folder, tree, save, open } = await opened();
    write(tree.folder, { 'b.txt': 'b' });
    sh(tree.folder, 'config', name, value);
    const made = await save();
    expect((await open()).commit).toBe(made);
    expect(sh(folder, 'show', '--name-only', '--format=', REF)).toBe('b.txt');
  });

  const losses: [string, (folder: string) => unknown][] = [
    ['deletes its folder', (folder: string) => rmSync(folder, { recursive: true })],
    ['deletes git’s part of it', (folder: string) => rmSync(sh(folder, 'rev-parse', '--absolute-git-dir'), { recursive: true })],
    [
      'deletes its repository',
      (folder: string) => rmSync(sh(folder, 'rev-parse', '--path-format=absolute', '--git-common-dir'), { recursive: true }),
    ],
    [
      'deletes its objects',
      (folder: string) =>
        rmSync(join(sh(folder, 'rev-parse', '--path-format=absolute', '--git-common-dir'), 'objects'), { recursive: true }),
    ],
    ['removes it by git', (folder: string) => sh(folder, 'worktree', 'remove', '--force', folder)],
    ['replaces it by a link', replaceByLink],
  ];
  it.each(sweep(losses, 3))('%s: it is made again from what was saved last', async (_, harm) => {
    const { folder, tree, save, open } = await opened();
    write(tree.folder, { 'b.txt': 'b' });
    const made = await save();
    harm(tree.folder);
    expect(await problemOf(save())).toBe('repository.unusable/worktree-missing');
    let setups = 0;
    const again = await open(undefined, async () => void setups++);
    expect(again).toMatchObject({ folder: tree.folder, commit: made, env: tree.env });
    expect([readFileSync(join(tree.folder, 'b.txt'), 'utf8'), setups, sh(folder, 'status', '--porcelain')]).toEqual(['b', 1, '']);
  });

  it('begins repositories in it: nothing is saved, nothing is lost, and going back takes them away', async () => {
    const { tree, save, open, worktrees, at, plan } = await opened();
    sh('/', 'init', '--quiet', join(tree.folder, 'own'));
    commit(join(tree.folder, 'own'), 'own', { 'own.txt': '1' });
    expect(await problemOf(save())).toBe('repository.unusable/embedded-repository');
    rmSync(join(tree.folder, '.git'));
    sh(tree.folder, 'init', '--quiet');
    expect(await problemOf(save())).toBe('repository.unusable/embedded-repository');
    expect((await open()).commit).toBe(plan.base);
    expect(existsSync(join(tree.folder, 'own/own.txt'))).toBe(true);
    await worktrees.restore(at, plan, plan.base, never);
    expect([readdirSync(tree.folder).sort(), await save()]).toEqual([['.git', 'a.txt'], plan.base]);
  });

  it('gives files names of any bytes, and other cases', async () => {
    const { folder, tree, save } = await opened({}, { folder: newRepository({ 'Case.txt': 'case\n' }) });
    const odd = Buffer.from('b\xff\n"\'$(x)', 'latin1');
    writeFileSync(Buffer.concat([Buffer.from(`${tree.folder}/`), odd]), 'odd');
    renameSync(join(tree.folder, 'Case.txt'), join(tree.folder, 'case.txt'));
    const names = shBytes(folder, 'ls-tree', '-z', '--name-only', await save()).toString('latin1');
    expect(names.split('\0').filter(Boolean).sort()).toEqual([odd.toString('latin1'), 'case.txt']);
  });

  it('sets up hooks: none runs when it is made, saved, restored or closed', async () => {
    const folder = newRepository();
    const proof = join(scratchFolder(), 'proof');
    mkdirSync(join(folder, '.git/hooks'), { recursive: true });
    for (const name of ['pre-commit', 'post-commit', 'post-checkout', 'reference-transaction', 'post-index-change']) {
      writeFileSync(join(folder, '.git/hooks', name), `#!/bin/sh\necho ${name} >> '${proof}'\nsleep 300\n`, { mode: 0o755 });
    }
    const { tree, save, close, worktrees, at, plan } = await opened({}, { folder });
    write(tree.folder, { 'b.txt': 'b' });
    await save();
    await worktrees.restore(at, plan, plan.base, never);
    await close();
    expect(existsSync(proof)).toBe(false);
  });
});

describe('files outside git', () => {
  const files = { 'a.txt': 'a\n', '.gitignore': '.env\nnode_modules\n.venv\n' };

  it('come from the checkout, and lead back to nothing in it', async () => {
    const folder = newRepository(files);
    write(folder, { '.env': 'A=1\n', 'node_modules/x/index.js': 'x', 'packages/y/index.js': 'y' });
    for (const [name, target] of Object.entries({ y: join(folder, 'packages/y'), rel: '../packages/y', out: '/usr/bin', self: folder })) {
      symlinkSync(target, join(folder, 'node_modules', name));
    }
    const { tree, save, plan } = await opened({ copy: ['.env', 'node_modules'] }, { folder });
    expect(readFileSync(join(tree.folder, '.env'), 'utf8')).toBe('A=1\n');
    const links = ['y', 'rel', 'out', 'self'].map((name) => readlinkSync(join(tree.folder, 'node_modules', name)));
    expect(links).toEqual([join(tree.folder, 'packages/y'), '../packages/y', '/usr/bin', tree.folder]);
    expect(await save()).toBe(plan.base);
  });

  it('are refused if git would commit them, and if they work in one place alone', async () => {
    const folder = newRepository(files);
    write(folder, { 'data/secret': '1', '.venv/pyvenv.cfg': '', 'more/.env': '1' });
    const host = newHost(folder);
    const withCopy = async (name: string) => {
      const plan = await host.worktrees.resolve({ copy: [name] }, never);
      return await codeOf(host.worktrees.open(place(name), plan, plan.base, noSetup, never));
    };
    expect([await withCopy('data'), await withCopy('data/secret'), await withCopy('.venv')]).toEqual([
      'worktree.unavailable',
      'worktree.unavailable',
      'repository.unusable',
    ]);
  });
});

describe('ports', () => {
  it('are a block that no other worktree has and nobody listens on, and come back', async () => {
    const folder = newRepository();
    // A range of ports for this process: others run the same test.
    const from = 10_000 + (process.pid % 200) * 50;
    const settings = { folder: join(scratchFolder(), 'worktrees'), ports: { from, to: from + 49, block: 20 } };
    const host = newHost(folder, { settings });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(from + 7, '127.0.0.1', resolve));
    const one = await opened({}, { folder, host, at: place('one') });
    expect(one.tree.env['THERMIDOR_PORT_BASE']).toBe(`${from + 20}`);
    expect(await codeOf(opened({}, { folder, host, at: place('two') }))).toBe('worktree.unavailable');
    await new Promise((resolve) => server.close(resolve));
    const two = await opened({}, { folder, host, at: place('two') });
    expect(two.tree.env['THERMIDOR_PORT_BASE']).toBe(`${from}`);
    await one.close();
    expect((await opened({}, { folder, host, at: place('three') })).tree.env['THERMIDOR_PORT_BASE']).toBe(`${from + 20}`);
  });
});
