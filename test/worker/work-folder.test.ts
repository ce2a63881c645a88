import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { removeEmptyFolders, workFolder } from '../../worker/work-folder';
import { scratchFolder } from '../activities/workshop';

const at = (...path: { id: string; index?: number }[]) => ({ path });
const RUN = 'p-20261121-abcdef';

test('a step has a folder of its own, made when it is first asked for, and the same ever after', async () => {
  const state = scratchFolder();
  const folder = await workFolder(state, RUN, at({ id: 'draft' }));
  writeFileSync(join(folder, 'notes.md'), 'kept');
  expect(await workFolder(state, RUN, at({ id: 'draft' }))).toBe(folder);
  expect(readdirSync(folder)).toEqual(['notes.md']);
  expect(folder.startsWith(join(state, 'work') + sep)).toBe(true);
});

test('no two steps share one, and none lies within another’s', async () => {
  const state = scratchFolder();
  const folders = await Promise.all([
    workFolder(state, RUN, at({ id: 'a' })),
    workFolder(state, RUN, at({ id: 'a' }, { id: 'b' })),
    workFolder(state, RUN, at({ id: 'a', index: 0 }, { id: 'b' })),
    workFolder(state, RUN, at({ id: 'a', index: 1 }, { id: 'b' })),
    workFolder(state, RUN, at({ id: 'a-b' })),
    workFolder(state, `${RUN}.child`, at({ id: 'a' })),
  ]);
  expect(new Set(folders).size).toBe(folders.length);
  for (const one of folders) for (const other of folders) if (one !== other) expect(other.startsWith(one + sep)).toBe(false);
});

test.each([['../../etc'], ['a/b'], ['..'], ['.'], ['/etc'], ['a\0b'], ['x'.repeat(900)]])(
  'a run whose id is like a path stays below the state folder: %j',
  async (id) => {
    const state = scratchFolder();
    const folder = await workFolder(state, id, at({ id: 'a' }));
    const way = relative(join(state, 'work'), folder).split(sep);
    expect(way).toHaveLength(2);
    expect(way).not.toContain('..');
    expect(existsSync(folder)).toBe(true);
  },
);

describe('a folder that the step names', () => {
  test('is taken as it is, and nothing is made', async () => {
    const [state, repository] = [scratchFolder(), scratchFolder()];
    expect(await workFolder(state, RUN, at({ id: 'a' }), repository)).toBe(repository);
    expect(readdirSync(state)).toEqual([]);
  });

  test('may be a link to one', async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    expect(await workFolder(folder, RUN, at({ id: 'a' }), join(folder, 'link'))).toBe(join(folder, 'link'));
  });

  test.each([
    ['is not there', 'nowhere'],
    ['is a file', 'file'],
    ['has a NUL character in it', 'a\0b'],
    ['lies within a file', 'file/below'],
    ['leads in a circle', 'circle'],
    ['has too long a name', 'x'.repeat(300)],
  ])('fails where it %s, and is not made', async (_what, name) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'circle'), join(folder, 'circle'));
    await expect(workFolder(folder, RUN, at({ id: 'a' }), join(folder, name))).rejects.toMatchObject({ code: 'agent.no-folder' });
    expect(readdirSync(folder).sort()).toEqual(['circle', 'file']);
  });
});

test('folders that agents have left empty go with their run; what has something in it stays', async () => {
  const state = scratchFolder();
  const [draft, empty] = [await workFolder(state, RUN, at({ id: 'draft' })), await workFolder(state, RUN, at({ id: 'empty' }))];
  const other = await workFolder(state, 'other', at({ id: 'a' }));
  writeFileSync(join(draft, 'notes.md'), 'kept');
  await removeEmptyFolders(state, RUN);
  expect([draft, empty, other].map((folder) => existsSync(folder))).toEqual([true, false, true]);
  await removeEmptyFolders(state, 'other');
  expect(readdirSync(join(state, 'work'))).toEqual([RUN]);
  await removeEmptyFolders(state, 'never-begun');
});
