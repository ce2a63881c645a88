import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commit, never, newRepository, SIGNATURE, sh, write } from '../git/scene';
import { opened } from './host-scene';

/** A worktree whose work was returned, moved on top of the present branch. */
async function updated(work: Record<string, string>[], target: Record<string, string>) {
  const folder = newRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const at = await opened({}, { folder });
  for (const files of work) commit(at.tree.folder, 'work', files);
  await at.save();
  const onto = commit(folder, 'target', target);
  const update = () => at.worktrees.update(at.at, at.plan, { onto, message: 'on top\n', signature: SIGNATURE }, never);
  await update();
  const tree = at.tree.folder;
  const log = () => sh(tree, 'log', '--format=%s', `${onto}..HEAD`).split('\n');
  return { ...at, update, onto, tree, log, read: (name: string) => readFileSync(join(tree, name), 'utf8') };
}

describe('a worktree that is brought up to date', () => {
  it('has its own commits on top of the branch if they apply', async () => {
    const { log, read, tree } = await updated([{ 'a.txt': 'mine\n' }, { 'c.txt': 'c\n' }], { 'b.txt': 'theirs\n' });
    expect(log()).toEqual(['work', 'work']);
    expect([read('a.txt'), read('b.txt'), read('c.txt')]).toEqual(['mine\n', 'theirs\n', 'c\n']);
    expect(sh(tree, 'status', '--porcelain')).toBe('');
  });

  it('has the conflict in its files, in a commit on top of the branch', async () => {
    const { log, read, tree, onto } = await updated([{ 'a.txt': 'mine\n', 'c.txt': 'c\n' }], { 'a.txt': 'theirs\n' });
    expect(log()).toEqual(['on top']);
    expect(sh(tree, 'rev-parse', 'HEAD^')).toBe(onto);
    expect(read('a.txt')).toMatch(/^<<<<<<< .*\ntheirs\n=======\nmine\n>>>>>>> /);
    expect([read('c.txt'), sh(tree, 'status', '--porcelain')]).toEqual(['c\n', '']);
  });

  it('keeps what a merge of its own has resolved', async () => {
    const folder = newRepository({ 'a.txt': 'a\n' });
    const at = await opened({}, { folder });
    commit(at.tree.folder, 'work', { 'a.txt': 'mine\n' });
    const first = commit(folder, 'target', { 'a.txt': 'theirs\n' });
    sh(at.tree.folder, 'fetch', '-q', folder, first);
    sh(at.tree.folder, '-c', 'user.name=a', '-c', 'user.email=a@x', 'merge', '-q', '-s', 'ours', '-m', 'merge', first);
    write(at.tree.folder, { 'a.txt': 'both\n' });
    await at.save();
    const onto = commit(folder, 'more', { 'b.txt': 'b\n' });
    await at.worktrees.update(at.at, at.plan, { onto, message: 'on top\n', signature: SIGNATURE }, never);
    expect(readFileSync(join(at.tree.folder, 'a.txt'), 'utf8')).toBe('both\n');
  });

  it('is left as it is if it is on top already, whatever is changed in it', async () => {
    const { update, tree, read } = await updated([{ 'a.txt': 'mine\n' }], { 'b.txt': 'theirs\n' });
    const head = sh(tree, 'rev-parse', 'HEAD');
    write(tree, { 'a.txt': 'at work\n' });
    await update();
    expect([sh(tree, 'rev-parse', 'HEAD'), read('a.txt')]).toEqual([head, 'at work\n']);
  });
});
