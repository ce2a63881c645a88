import { existsSync } from 'node:fs';
import { never, write } from '../git/scene';
import { noSetup, opened } from './host-scene';

/** A worktree that ends before its run does: its work is in the run's ref, and what is nobody's work is in none. */

const spares = (plan: object) => ({ ...plan, spares: true }) as never;

test('is removed if it has nothing but saved work', async () => {
  const { tree, at, plan, save, worktrees, records } = await opened({ label: 'the.parser' });
  write(tree.folder, { 'mine.txt': '1' });
  await save();
  expect((await records.list()).records).toMatchObject([{ label: 'the.parser' }]);
  await expect(worktrees.close(at, spares(plan), noSetup, never)).resolves.toEqual({});
  expect(existsSync(tree.folder)).toBe(false);
  expect((await records.list()).records).toEqual([]);
});

test('is kept, for the janitor too, if somebody has changed it since: until a person names its run', async () => {
  const { tree, at, plan, save, worktrees, records } = await opened();
  await save();
  write(tree.folder, { 'theirs.txt': '1' });
  await expect(worktrees.close(at, spares(plan), noSetup, never)).resolves.toEqual({
    unattended: expect.stringContaining('theirs.txt'),
    isKept: true,
  });
  expect(existsSync(`${tree.folder}/theirs.txt`)).toBe(true);
  expect((await records.list()).records).toMatchObject([{ keep: true }]);
});

test('is kept if the file says so', async () => {
  const { tree, at, plan, save, worktrees } = await opened({ keep: true });
  await save();
  await expect(worktrees.close(at, spares(plan), noSetup, never)).resolves.toEqual({ isKept: true });
  expect(existsSync(tree.folder)).toBe(true);
});

test('that nobody spares is removed, whatever has changed', async () => {
  const { tree, save, close } = await opened();
  await save();
  write(tree.folder, { 'theirs.txt': '1' });
  await expect(close()).resolves.toEqual({ unattended: expect.stringContaining('theirs.txt') });
  expect(existsSync(tree.folder)).toBe(false);
});
