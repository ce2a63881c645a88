import { existsSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { worktreeName } from '../../worker/worktrees/names';
import { commit, never, sh, write } from '../git/scene';
import { opened, place } from './host-scene';

/** Changes in a worktree while no step is at work there. */
const WHILE = 'while no step worked there';

const said = (what: string) => new RegExp(`^${WHILE}, ${what}; it is put aside in refs/thermidor/[^ ]+/build/aside/[0-9a-f]{40}$`);

describe('what is nobody’s work', () => {
  it('is put aside for whichever step begins next, and none of it is in that step’s work', async () => {
    const { folder, tree, plan, at, save, worktrees } = await opened();
    write(tree.folder, { 'mine.txt': '1', '.gitignore': 'ignored\n', ignored: '1' });
    const saved = await save();
    write(tree.folder, { 'late.txt': 'late\n', 'mine.txt': 'late\n' });
    commit(tree.folder, 'late', { 'committed.txt': 'late\n' });
    write(tree.folder, { 'later.txt': 'late\n' });
    const next = await worktrees.open({ ...at, step: 'next' }, plan, saved, () => Promise.resolve(), never);
    const ref = /refs\/\S+/.exec(next.unattended ?? '')?.[0] ?? '';
    const files = ['.gitignore', 'a.txt', 'mine.txt'];
    expect([sh(tree.folder, 'status', '--porcelain'), sh(tree.folder, 'ls-files').split('\n')]).toEqual(['', files]);
    expect([readFileSync(join(tree.folder, 'ignored'), 'utf8'), await save()]).toEqual(['1', saved]);
    expect(sh(folder, 'ls-tree', '--name-only', ref).split('\n')).toEqual([...files, 'committed.txt', 'late.txt', 'later.txt'].sort());
    expect(sh(folder, 'show', `${ref}:mine.txt`)).toBe('late');
  });

  it('is what another step has left that could not be saved, and not what the step itself has', async () => {
    const { tree, plan, at, save, worktrees } = await opened();
    const saved = await save();
    const begin = (step: string) => worktrees.open({ ...at, step }, plan, saved, () => Promise.resolve(), never);
    await begin('first');
    write(tree.folder, { 'half.txt': '1' });
    expect(await begin('first')).not.toHaveProperty('unattended');
    expect(existsSync(join(tree.folder, 'half.txt'))).toBe(true);
    expect((await begin('second')).unattended).toMatch(
      /^since first worked there, whose work could not be saved, these were changed: half.txt; it is put aside in /,
    );
    expect(existsSync(join(tree.folder, 'half.txt'))).toBe(false);
    write(tree.folder, { 'mine.txt': '1' });
    expect(await begin('second')).not.toHaveProperty('unattended');
  });

  it('is discarded if git cannot commit it', async () => {
    const { tree, plan, at, save, worktrees } = await opened();
    const saved = await save();
    sh(tree.folder, 'init', '--quiet', 'inner');
    write(tree.folder, { 'inner/x': '1' });
    const next = await worktrees.open({ ...at, step: 'next' }, plan, saved, () => Promise.resolve(), never);
    expect(next.unattended).toBe(`${WHILE}, these were changed: inner/; it is discarded: git cannot commit it`);
    expect(existsSync(join(tree.folder, 'inner'))).toBe(false);
  });

  it('stays with those who share the worktree', async () => {
    const { tree, plan, at, save, worktrees } = await opened();
    const saved = await save();
    const begin = (step: string) => worktrees.open({ ...at, step, sharedBy: step }, plan, saved, () => Promise.resolve(), never);
    await begin('first');
    write(tree.folder, { 'half.txt': '1' });
    for (const step of ['second', 'first']) expect(await begin(step)).not.toHaveProperty('unattended');
    expect(existsSync(join(tree.folder, 'half.txt'))).toBe(true);
  });
});

describe('a worktree that was saved', () => {
  it('tells the next who opens it, once, what was changed since', async () => {
    const { tree, open, save } = await opened();
    write(tree.folder, { 'mine.txt': '1', '.gitignore': 'ignored\n' });
    await save();
    write(tree.folder, { 'mine.txt': '2', 'b\nc.txt': '1', ignored: '1' });
    rmSync(join(tree.folder, 'a.txt'));
    expect((await open()).unattended).toMatch(said('these were changed: "b\\\\nc.txt", a.txt, mine.txt'));
    expect(await open()).not.toHaveProperty('unattended');
  });

  it('says so of what was committed there, and if nothing but its branch was moved', async () => {
    const { tree, open, save } = await opened();
    await save();
    commit(tree.folder, 'of another', { 'theirs.txt': '1' });
    expect((await open()).unattended).toMatch(said('these were changed: theirs.txt'));
    await save();
    commit(tree.folder, 'nothing in it');
    expect((await open()).unattended).toMatch(said('its branch was moved'));
  });

  it('says so of many by the first and their number, and of one that was removed', async () => {
    const { tree, open, save } = await opened();
    await save();
    write(tree.folder, Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i + 10}`, '1'])));
    expect((await open()).unattended).toMatch(/: f10, f11, .*, f19 and 2 more; it is put aside/);
    await save();
    rmSync(tree.folder, { recursive: true });
    expect((await open()).unattended).toBe(`${WHILE}, it was removed; it is made again from what was saved`);
  });

  it('says so when it is closed', async () => {
    const { tree, save, close } = await opened();
    await save();
    write(tree.folder, { 'late.txt': '1' });
    expect(await close()).toEqual({ unattended: `${WHILE}, these were changed: late.txt` });
    expect(await close()).toEqual({});
  });

  it('says nothing if nothing was changed', async () => {
    const { tree, open, save, close } = await opened();
    write(tree.folder, { 'mine.txt': '1' });
    await save();
    expect(await open()).not.toHaveProperty('unattended');
    await save();
    expect(await close()).toEqual({});
  });
});

describe('nothing is said about what a step may have done itself', () => {
  it('that was killed before it was saved', async () => {
    const { tree, open, save, close } = await opened();
    await save();
    await open();
    write(tree.folder, { 'half.txt': '1' });
    expect(await open()).not.toHaveProperty('unattended');
    expect(await close()).toEqual({});
  });

  it('before the machine has started again', async () => {
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
