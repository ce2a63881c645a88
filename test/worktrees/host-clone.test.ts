import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runRef } from '../../plan/run/run-ref';
import { commit, commitOn, never, newRepository, scratchFolder, sh, write } from '../git/scene';
import { cloneIn, KEY, newHost, opened, place } from './host-scene';

const REF = runRef(KEY.run, 'build', 1);

describe('the clone of a path', () => {
  it('is one for all runs of a host, and needs nothing of the repository that it was made from', async () => {
    const folder = newRepository();
    const host = newHost(folder);
    const one = await opened({}, { folder, host, at: place('one') });
    const second = commit(folder, 'second', { 'b.txt': 'b' });
    const two = await opened({}, { folder, host, at: place('two') });
    expect([sh(two.tree.folder, 'rev-parse', 'HEAD'), readdirSync(join(host.root, 'clones')).length]).toEqual([second, 1]);
    // No ref of the repository leads to either commit now.
    const other = newRepository({ 'other.txt': '1' });
    sh(folder, 'fetch', '--quiet', other, 'main');
    sh(folder, 'reset', '--quiet', '--hard', 'FETCH_HEAD');
    sh(folder, 'reflog', 'expire', '--all', '--expire=now');
    sh(folder, 'gc', '--quiet', '--prune=now');
    for (const { tree, save } of [one, two]) {
      write(tree.folder, { 'new.txt': tree.folder });
      const made = await save();
      expect([sh(tree.folder, 'fsck', '--no-dangling'), sh(folder, 'show', `${made}:a.txt`)]).toEqual(['', 'a']);
    }
    expect(sh(folder, 'fsck', '--no-dangling')).toBe('');
  });

  it('does not borrow from whom the repository borrows', async () => {
    const lender = newRepository();
    const folder = join(scratchFolder(), 'borrower');
    sh('/', 'clone', '--quiet', '--shared', lender, folder);
    const { root, tree } = await opened({}, { folder });
    expect(existsSync(join(cloneIn(root), 'objects/info/alternates'))).toBe(false);
    rmSync(lender, { recursive: true });
    expect(sh(tree.folder, 'fsck', '--no-dangling')).toBe('');
  });

  it.each<[string, (clone: string) => void]>([
    ['its HEAD', (clone) => rmSync(join(clone, 'HEAD'))],
    ['its objects', (clone) => rmSync(join(clone, 'objects'), { recursive: true })],
    [
      'the content of an object',
      (clone) => {
        const objects = readdirSync(join(clone, 'objects'), { recursive: true, encoding: 'utf8' }).map((name) =>
          join(clone, 'objects', name),
        );
        for (const path of objects.filter((at) => statSync(at).isFile())) {
          // The file may be a hard link, so it is replaced first, and the repository keeps its content.
          const content = readFileSync(path);
          rmSync(path);
          writeFileSync(path, content);
          truncateSync(path, 0);
        }
      },
    ],
  ])('is made anew where it has lost %s', async (_, harm) => {
    const folder = newRepository();
    const host = newHost(folder);
    const before = await opened({}, { folder, host, at: place('before') });
    harm(cloneIn(host.root));
    const { tree, plan } = await opened({}, { folder, host, at: place('after') });
    expect([tree.commit, sh(tree.folder, 'fsck', '--no-dangling'), sh(before.tree.folder, 'fsck', '--no-dangling')]).toEqual([
      plan.base,
      '',
      '',
    ]);
  });

  it('is that of any repository: bare, with SHA-256, with a line end in its name, in a linked checkout', async () => {
    const bare = join(scratchFolder(), 'bare.git');
    sh('/', 'clone', '--quiet', '--bare', newRepository(), bare);
    const long = scratchFolder();
    sh(long, 'init', '--quiet', '-b', 'main', '--object-format=sha256');
    commit(long, 'first', { 'a.txt': 'a\n' });
    const odd = newRepository({ 'a.txt': 'a\n' }, join(scratchFolder(), 'two\nlines "q" \'s\''));
    const linked = join(scratchFolder(), 'linked');
    sh(newRepository(), 'worktree', 'add', '--quiet', '-b', 'side', linked);
    for (const folder of [bare, long, odd, linked]) {
      const { tree, save } = await opened({}, { folder });
      write(tree.folder, { 'b.txt': 'b' });
      const made = await save();
      expect(sh(folder, 'rev-parse', REF)).toBe(made);
    }
  });
});

describe('a worktree of a path', () => {
  it('begins at any commit, with the tags that are there now, and no branches', async () => {
    const folder = newRepository();
    const host = newHost(folder);
    sh(folder, 'tag', '-a', '-m', 'one', 'v1');
    await opened({}, { folder, host, at: place('first') });
    const nobodys = commitOn(folder, sh(folder, 'rev-parse', 'HEAD'), { 'b.txt': 'b' });
    sh(folder, 'tag', '--delete', 'v1');
    sh(folder, 'tag', '-a', '-m', 'two', 'v2');
    sh(folder, 'branch', 'feature');
    const { tree } = await opened({ base: nobodys }, { folder, host, at: place('second') });
    expect([sh(tree.folder, 'describe'), sh(tree.folder, 'for-each-ref', '--format=%(refname)')]).toEqual([
      `v2-1-g${nobodys.slice(0, 7)}`,
      `refs/heads/${tree.branch}\nrefs/tags/v2`,
    ]);
  });

  it('has the settings of files and who commits, as they are now', async () => {
    const folder = newRepository({ 'a.txt': 'a\n', '.gitattributes': '*.up filter=up\n' });
    const host = newHost(folder);
    await opened({}, { folder, host, at: place('first') });
    sh(folder, 'config', 'filter.up.clean', 'tr a-z A-Z #"\\');
    sh(folder, 'config', 'user.name', 'Ann "A" \\ é');
    sh(folder, 'config', 'submodule.x.url', 'https://ada:secret@example.org/x');
    mkdirSync(join(folder, '.git/info'), { recursive: true });
    write(folder, { '.git/info/exclude': '.env\n', '.env': 'A=1\n' });
    const { tree, save } = await opened({ copy: ['.env'] }, { folder, host, at: place('second') });
    expect(sh(tree.folder, 'config', 'user.name')).toBe('Ann "A" \\ é');
    expect(sh(tree.folder, 'config', '--list')).not.toContain('secret');
    write(tree.folder, { 'b.up': 'abc\n' });
    const made = await save();
    expect(sh(folder, 'show', '--format=', '--name-only', made)).toBe('b.up');
    expect(sh(folder, 'cat-file', 'blob', `${made}:b.up`)).toBe('ABC');
    // This also holds if only an included configuration file has changed.
    sh(folder, 'config', 'include.path', 'more');
    const third = await opened({}, { folder, host, at: place('third') });
    write(folder, { '.git/more': '[user]\nname = Eve\n' });
    const fourth = await opened({}, { folder, host, at: place('fourth') });
    expect([third, fourth].map(({ tree }) => sh(tree.folder, 'config', 'user.name'))).toEqual(['Ann "A" \\ é', 'Eve']);
  });

  it('is saved whatever the repository has set up for pushes', async () => {
    const folder = newRepository();
    const proof = join(scratchFolder(), 'proof');
    for (const name of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
      write(folder, { [`.git/hooks/${name}`]: '' });
      rmSync(join(folder, '.git/hooks', name));
      writeFileSync(join(folder, '.git/hooks', name), `#!/bin/sh\ntouch '${proof}'\nexit 1\n`, { mode: 0o755 });
    }
    const settings = ['denyNonFastForwards=true', 'denyDeletes=true', 'fsckObjects=true', 'maxInputSize=1', 'hideRefs=refs', 'autogc=true'];
    for (const setting of settings) sh(folder, 'config', ...(`receive.${setting}`.split('=') as [string, string]));
    sh(folder, 'config', 'transfer.hideRefs', 'refs');
    const { tree, save, worktrees, at, plan } = await opened({}, { folder });
    write(tree.folder, { 'b.txt': 'b' });
    await save();
    await worktrees.restore(at, plan, plan.base, never);
    expect(sh(folder, 'rev-parse', REF)).not.toBe(plan.base);
    expect(await save()).toBe(sh(folder, 'rev-parse', REF));
    expect(existsSync(proof)).toBe(false);
  });
});
