import { rmSync, utimesSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { worktreeName } from '../../worker/worktrees/names';
import { commit, never, sh, write } from '../git/scene';
import { opened, place } from './host-scene';

/** What is changed in a worktree while no step is at work there. */
const WHILE = 'while no step was at work there';

describe('a worktree that was saved', () => {
  it('tells the next who opens it, once, what was changed since', async () => {
    const { tree, open, save } = await opened();
    write(tree.folder, { 'mine.txt': '1', '.gitignore': 'ignored\n' });
    await save();
    write(tree.folder, { 'mine.txt': '2', 'b\nc.txt': '1', ignored: '1' });
    rmSync(join(tree.folder, 'a.txt'));
    expect((await open()).unattended).toBe(`${WHILE}, these were changed: "b\\nc.txt", a.txt, mine.txt`);
    expect(await open()).not.toHaveProperty('unattended');
  });

  it('says so of what was committed there, and where nothing but its branch was moved', async () => {
    const { tree, open, save } = await opened();
    await save();
    commit(tree.folder, 'of another', { 'theirs.txt': '1' });
    expect((await open()).unattended).toBe(`${WHILE}, these were changed: theirs.txt`);
    await save();
    commit(tree.folder, 'nothing in it');
    expect((await open()).unattended).toBe(`${WHILE}, its branch was moved`);
  });

  it('says so of many by the first and their number, and of one that was removed', async () => {
    const { tree, open, save } = await opened();
    await save();
    write(tree.folder, Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i + 10}`, '1'])));
    expect((await open()).unattended).toMatch(/: f10, f11, .*, f19 and 2 more$/);
    await save();
    rmSync(tree.folder, { recursive: true });
    expect((await open()).unattended).toBe(`${WHILE}, it was removed`);
  });

  it('says so when it is closed', async () => {
    const { tree, save, close } = await opened();
    await save();
    write(tree.folder, { 'late.txt': '1' });
    expect(await close()).toEqual({ unattended: `${WHILE}, these were changed: late.txt` });
    expect(await close()).toEqual({});
  });

  it('says nothing where nothing was changed', async () => {
    const { tree, open, save, close } = await opened();
    write(tree.folder, { 'mine.txt': '1' });
    await save();
    expect(await open()).not.toHaveProperty('unattended');
    await save();
    expect(await close()).toEqual({});
  });
});

describe('nothing is said of what a step may have done itself', () => {
  it('that was killed before it was saved', async () => {
    const { tree, open, save, close } = await opened();
    await save();
    await open();
    write(tree.folder, { 'half.txt': '1' });
    expect(await open()).not.toHaveProperty('unattended');
    expect(await close()).toEqual({});
  });

  it('before the machine has started anew', async () => {
    const { tree, open, save, root } = await opened();
    await save();
    write(tree.folder, { 'half.txt': '1' });
    const { key, slot, epoch } = place();
    const mark = join(root, 'views', worktreeName({ run: key.run, slot, epoch }), 'unattended');
    const before = Date.now() / 1000 - uptime() - 60;
    utimesSync(mark, before, before);
    expect(await open()).not.toHaveProperty('unattended');
  });

  it('in a worktree that several share', async () => {
    const { tree, plan, at, worktrees } = await opened();
    const mine = { ...at, sharedBy: 'build[1]/engineer' };
    await worktrees.save(mine, plan, { message: '', signature: { name: 'a', email: 'a@x', atMs: 0 } }, never);
    write(tree.folder, { 'half.txt': '1' });
    expect(await worktrees.open(mine, plan, plan.base, () => Promise.resolve(), never)).not.toHaveProperty('unattended');
    expect(sh(tree.folder, 'status', '--porcelain')).toBe('?? half.txt');
  });
});
