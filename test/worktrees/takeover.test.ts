import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ThermidorFailure } from '../../plan/run/failure';
import { runRef } from '../../plan/run/run-ref';
import { serveHttp } from '../git/http-remote';
import { commit, never, newRepository, scratchFolder, sh, write } from '../git/scene';
import { cloneIn, KEY, newHost, noSetup, opened, place, SAVE } from './host-scene';

async function codeOf(work: Promise<unknown>): Promise<string> {
  const failure = await work.catch((error: unknown) => error);
  if (!(failure instanceof ThermidorFailure)) throw failure;
  return failure.code;
}

const NEXT = place('build', 2);
const refOf = (epoch: number) => runRef(KEY.run, 'build', epoch);

/** A bare repository and two independent checkouts of it. */
function twoCheckouts() {
  const origin = join(scratchFolder(), 'api.git');
  sh('/', 'clone', '--quiet', '--bare', newRepository({ 'a.txt': 'a\n', '.gitignore': '.env\n' }), origin);
  const checkouts = ['one', 'two'].map((name) => {
    const checkout = join(scratchFolder(), name);
    sh('/', 'clone', '--quiet', origin, checkout);
    writeFileSync(join(checkout, '.env'), name);
    return checkout;
  });
  return { origin, one: checkouts[0] ?? '', two: checkouts[1] ?? '' };
}

describe('a host that takes a worktree over', () => {
  it.each(['file URL', 'remote of a checkout', 'path'] as const)(
    'begins with what was pushed last, not with the commit that it is given: %s',
    async (kind) => {
      const { origin, one, two } = twoCheckouts();
      const wanted = { 'file URL': { repo: `file://${origin}` }, 'remote of a checkout': { remote: 'origin', copy: ['.env'] }, path: {} }[
        kind
      ];
      const first = await opened(wanted, { folder: one });
      write(first.tree.folder, { 'b.txt': 'b' });
      const made = await first.save();
      const second = newHost(kind === 'path' ? one : two);
      const tree = await second.worktrees.open(NEXT, first.plan, first.plan.base, noSetup, never);
      expect([tree.commit, readFileSync(join(tree.folder, 'b.txt'), 'utf8')]).toEqual([made, 'b']);
      expect([tree.folder === first.tree.folder, tree.branch === first.tree.branch]).toEqual([false, false]);
      if (kind === 'remote of a checkout') expect(readFileSync(join(tree.folder, '.env'), 'utf8')).toBe('two');
      write(tree.folder, { 'c.txt': 'c' });
      const further = await second.worktrees.save(NEXT, first.plan, SAVE, never);
      // The first host comes back. It moves no ref, and changes nothing that others read.
      write(first.tree.folder, { 'late.txt': '1' });
      expect(await codeOf(first.save())).toBe('worker.lost');
      const refs = kind === 'path' ? one : origin;
      expect(sh(refs, 'rev-parse', refOf(1), refOf(2), `${refOf(2)}^`)).toBe([made, further, made].join('\n'));
    },
  );

  it('begins again in a folder of its own if it had the slot before', async () => {
    const { folder, plan, tree, save, worktrees, close, records } = await opened();
    write(tree.folder, { 'b.txt': 'b' });
    const made = await save();
    write(tree.folder, { 'lost.txt': '1' });
    const again = await worktrees.open(NEXT, plan, plan.base, noSetup, never);
    expect([again.commit, readdirSync(again.folder).sort()]).toEqual([made, ['.git', 'a.txt', 'b.txt']]);
    expect(again.env['THERMIDOR_PORT_BASE']).not.toBe(tree.env['THERMIDOR_PORT_BASE']);
    await close();
    expect([existsSync(tree.folder), existsSync(again.folder)]).toEqual([false, true]);
    expect((await records.list()).records).toMatchObject([{ epoch: 2 }]);
    expect(sh(again.folder, 'branch', '--format=%(refname:short)')).toBe(again.branch);
    expect(sh(folder, 'branch', '--format=%(refname:short)')).toBe('main');
  });

  it('gets by without the checkout that named the remote, but not without files to copy', async () => {
    const { origin, one } = twoCheckouts();
    const { plan } = await opened({ remote: 'origin' }, { folder: one });
    const elsewhere = newHost(scratchFolder());
    expect((await elsewhere.worktrees.open(NEXT, plan, plan.base, noSetup, never)).commit).toBe(plan.base);
    const copying = { ...plan, copy: ['.env'] };
    const other = place('other');
    expect(await codeOf(elsewhere.worktrees.open(other, copying, plan.base, noSetup, never))).toBe('worktree.unavailable');
    // A checkout of another repository does not count.
    const foreign = newHost(newRepository({ '.gitignore': '.env\n' }));
    expect(await codeOf(foreign.worktrees.open(other, copying, plan.base, noSetup, never))).toBe('worktree.unavailable');
    expect(plan.repository).toBe(origin);
  });

  it('has to see the same path', async () => {
    const { folder, plan } = await opened();
    rmSync(folder, { recursive: true });
    const host = newHost(scratchFolder());
    expect(await codeOf(host.worktrees.open(NEXT, plan, plan.base, noSetup, never))).toBe('worktree.unavailable');
    sh('/', 'init', '--quiet', join(folder, '..'));
    expect(await codeOf(host.worktrees.open(NEXT, plan, plan.base, noSetup, never))).toBe('worktree.unavailable');
  });
});

describe('a remote whose URL has credentials', () => {
  it('is reached with those of each host’s checkout, which are kept nowhere else', async () => {
    const { origin, one } = twoCheckouts();
    sh(origin, 'config', 'http.receivepack', 'true');
    const server = await serveHttp(dirname(origin), { password: 'secret' });
    try {
      sh(one, 'remote', 'set-url', 'origin', `${server.url.replace('//', '//ada:secret@')}/api.git`);
      const { tree, root, plan, save } = await opened({ remote: 'origin' }, { folder: one });
      write(tree.folder, { 'b.txt': 'b' });
      const made = await save();
      expect(sh(origin, 'rev-parse', refOf(1))).toBe(made);
      expect(plan.repository).toBe(`${server.url}/api.git`);
      expect(spawnSync('grep', ['-rl', 'secret', root]).stdout.toString()).toBe('');
      const without = newHost(scratchFolder());
      expect(await codeOf(without.worktrees.open(NEXT, plan, plan.base, noSetup, never))).toBe('repository.refused');
    } finally {
      await server.close();
    }
  });
});

describe('a clone of a host', () => {
  it('leads to no checkout, and keeps no branch that would be taken for the remote’s', async () => {
    const { origin, one } = twoCheckouts();
    commit(one, 'not pushed');
    const { tree, root, folder, save } = await opened({ remote: 'origin' }, { folder: one });
    const clone = cloneIn(root);
    expect(readFileSync(join(clone, 'config'), 'utf8')).not.toContain(folder);
    expect(sh(tree.folder, 'remote')).toBe('');
    expect(sh(tree.folder, 'branch', '--all', '--format=%(refname)')).toBe(`refs/heads/${tree.branch}\nrefs/remotes/origin/main`);
    // An engineer's settings in the worktree have no effect.
    sh(tree.folder, 'remote', 'add', 'origin', '/nowhere');
    write(tree.folder, { 'b.txt': 'b' });
    const made = await save();
    expect(sh(origin, 'rev-parse', refOf(1))).toBe(made);
    expect(sh(one, 'for-each-ref', 'refs/thermidor')).toBe('');
  });

  it('is made again if somebody deletes it', async () => {
    const { origin } = twoCheckouts();
    const { root, tree, save, open, close } = await opened({ repo: `file://${origin}` }, { folder: scratchFolder() });
    write(tree.folder, { 'b.txt': 'b' });
    const made = await save();
    const clone = cloneIn(root);
    rmSync(clone, { recursive: true });
    expect((await open()).commit).toBe(made);
    rmSync(clone, { recursive: true });
    await close();
    expect(existsSync(tree.folder)).toBe(false);
  });

  it('is shared by all worktrees of a repository, made at once', async () => {
    const { origin } = twoCheckouts();
    const host = newHost(scratchFolder());
    const wanted = { repo: `file://${origin}` };
    const trees = await Promise.all(['a', 'b', 'c'].map((slot) => opened(wanted, { host, at: place(slot) })));
    expect(new Set(trees.map(({ tree }) => tree.folder)).size).toBe(3);
    expect(new Set(trees.map(({ tree }) => tree.env['THERMIDOR_PORT_BASE'])).size).toBe(3);
    expect(readdirSync(join(host.root, 'clones'))).toHaveLength(1);
    for (const { tree } of trees) write(tree.folder, { 'b.txt': tree.folder });
    const commits = await Promise.all(trees.map(({ save }) => save()));
    expect(new Set(commits).size).toBe(3);
    await Promise.all(trees.map(({ close }) => close()));
    expect([readdirSync(join(host.root, 'trees')), (await host.records.list()).records]).toEqual([[], []]);
  });
});
