import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from '../../activities/adapters/git/remove-folder';
import { scratchFolder, write } from './scene';

const NOBODY = 65_534;

/** Works as another user, because root may write everywhere. */
async function asNobody(work: () => Promise<void>): Promise<void> {
  const before = process.geteuid?.() ?? NOBODY;
  if (before === 0) process.seteuid?.(NOBODY);
  try {
    await work();
  } finally {
    process.seteuid?.(before);
  }
}

test('a folder goes with folders that nobody may write to, and what links lead to stays', async () => {
  // The folder is in the system's temporary folder, because other users cannot read the tests' own.
  const around = mkdtempSync('/tmp/thermidor-removed-');
  const elsewhere = scratchFolder();
  write(elsewhere, { mine: '1' });
  chmodSync(around, 0o777);
  const folder = join(around, 'w');
  await asNobody(async () => {
    mkdirSync(folder);
    write(folder, { 'cache/deep/module': 'x', 'a.txt': 'a' });
    symlinkSync(elsewhere, join(folder, 'cache/link'));
    for (const name of ['cache/deep', 'cache']) chmodSync(join(folder, name), 0o555);
    await removeFolder(folder);
    await removeFolder(folder);
  });
  expect([existsSync(folder), existsSync(join(elsewhere, 'mine'))]).toEqual([false, true]);
  rmSync(around, { recursive: true });
});
