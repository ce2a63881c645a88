// Scratch folders of tests are in memory if the machine has room for them: the ledger syncs every record, and on a disk
// tests wait for that longer than for anything else.
const { execFileSync } = require('node:child_process');
const { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;
const NAME = /^thermidor-tests-(\d+)-/;

/**
 * The folder, or undefined if scratch folders stay on the disk: on other systems than Linux, or if the memory is small or cannot run
 * programs.
 */
function makeMemoryFolder() {
  if (process.platform !== 'linux' || process.env.TMPDIR) return undefined;
  let folder;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ROOM_BYTES) return undefined;
    clearAbandoned();
    folder = mkdtempSync(join(MEMORY, `thermidor-tests-${process.pid}-`));
    writeFileSync(join(folder, 'program'), '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(join(folder, 'program'));
    return folder;
  } catch {
    if (folder) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

/**
 * Removes the folders of killed test runs, which would fill the memory. One that cannot be removed stays, because this run has a folder of
 * its own.
 */
function clearAbandoned() {
  for (const name of readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) removeWithMounts(join(MEMORY, name));
  }
}

/** Unmounts what tests have mounted in the folder: a small disk outlives its test, and a folder with a mount cannot be removed. */
function removeWithMounts(folder) {
  try {
    for (const line of readFileSync('/proc/self/mounts', 'utf8').split('\n')) {
      const [, mounted = ''] = line.split(' ');
      if (mounted.startsWith(`${folder}/`)) execFileSync('umount', ['--lazy', mounted], { stdio: 'ignore' });
    }
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    process.stderr.write(`${folder} of an earlier run of the tests stays: ${error.message}\n`);
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

module.exports = { makeMemoryFolder };
