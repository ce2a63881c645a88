import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const MODULE = resolve(__dirname, '../support/memory-folder.cjs');
/** No process has an id that is so large. */
const GONE_PID = 2 ** 30;
const abandoned = join('/dev/shm', `thermidor-tests-${GONE_PID}-left`);

afterEach(() => {
  spawnSync('umount', [join(abandoned, 'disk')]);
  rmSync(abandoned, { recursive: true, force: true });
});

/** The folder that a run of the tests gets if nothing sets one for its scratch folders. */
function made(): string {
  const { TMPDIR: _, ...env } = process.env;
  const code = `const { rmSync } = require('node:fs');
    const folder = require(${JSON.stringify(MODULE)}).makeMemoryFolder();
    if (folder) rmSync(folder, { recursive: true });
    console.log(folder ? 'in memory' : 'on disk');`;
  return execFileSync(process.execPath, ['-e', code], { env, encoding: 'utf8' }).trim();
}

test('what a killed run of the tests has left, a disk mounted in it too, is removed and costs the next one nothing', () => {
  if (!existsSync('/dev/shm')) return;
  const before = made();
  mkdirSync(join(abandoned, 'disk'), { recursive: true });
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'thermidor-left', join(abandoned, 'disk')]);
  expect(made()).toBe(before);
  if (before === 'in memory') expect(existsSync(abandoned)).toBe(false);
});
