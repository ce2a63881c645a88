import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../../activities/git-model';
import type { Git } from '../../activities/git-port';
import { sweepCount } from '../support/sweep';
import { commitOn, ENVIRONMENT, never, newGit, SIGNATURE, scratchFolder, sh, write } from './scene';

/** A git that logs each of its processes with the number of bytes that it printed. */
function countedGit() {
  const folder = scratchFolder();
  const log = join(folder, 'log');
  const real = join(sh('/', '--exec-path'), 'git');
  const script = `#!/bin/sh\nout=$(mktemp)\n${real} "$@" >"$out"\ncode=$?\nwc -c <"$out" >>'${log}'\ncat "$out"\nrm "$out"\nexit $code\n`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  const git = newGit({
    environment: {
      ...process.env,
      PATH: `${folder}:${process.env['PATH']}`,
      TMPDIR: folder,
    },
  });
  const counted = async <T>(work: () => Promise<T>) => {
    writeFileSync(log, '');
    const result = await work();
    const sizes = readFileSync(log, 'utf8').trim().split('\n').map(Number);
    return {
      result,
      processes: sizes.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    };
  };
  return { git, counted };
}

function newLarge(files: number): string {
  const folder = join(scratchFolder(), 'large.git');
  sh('/', 'init', '--quiet', '--bare', '-b', 'main', folder);
  const lines = ['commit refs/heads/main\ncommitter Bob <bob@example.org> 1690000000 +0200\ndata 5\nfirst\n'];
  for (let n = 0; n < files; n++) lines.push(`M 100644 inline src/${n % 500}/file-${n}.txt\ndata 3\n${(n % 90) + 10}\n`);
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: folder,
    env: ENVIRONMENT,
    input: lines.join(''),
  });
  return folder;
}

/** Measures every operation of a step and of the queue, in order. */
async function measured(files: number): Promise<Record<string, { processes: number; bytes: number }>> {
  const folder = newLarge(files);
  const { git, counted } = countedGit();
  const repository = await git.repositories.open(folder, never);
  const head = sh(folder, 'rev-parse', 'HEAD');
  const found: Record<string, { processes: number; bytes: number }> = {};
  const measure = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const { result, ...counts } = await counted(work);
    found[name] = counts;
    return result;
  };
  await measure('open', () => git.repositories.open(folder, never));
  await measure('examine', () => git.repositories.examine(repository, 'main', never));
  const one = await measure('add', () =>
    git.worktrees.add(repository, { path: join(scratchFolder(), 'w'), commit: head, branch: 'work' }, never),
  );
  write(one.path, { 'src/1/file-1.txt': 'changed\n', 'new.txt': 'n' });
  await measure('status', () => git.worktrees.status(one, never));
  const { commit: candidate } = await measure('commit', () => git.commits.commitAll(one, { message: 'm', signature: SIGNATURE }, never));
  await measure('unchanged', () => git.commits.commitAll(one, { message: 'm', signature: SIGNATURE }, never));
  const onto = commitOn(folder, head, { 'src/2/file-2.txt': 'ours\n' });
  await measureCommits(git, repository, { head, onto, candidate }, measure);
  await measure('moveTo', () => git.worktrees.moveTo(one, onto, {}, never));
  await measure('advance', () => git.refs.advance(repository, { ref: 'refs/heads/work', from: onto, to: candidate }, never));
  return found;
}

async function measureCommits(
  git: Git,
  repository: Repository,
  { head, onto, candidate }: { head: string; onto: string; candidate: string },
  measure: <T>(name: string, work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const range = { from: head, to: candidate };
  await measure('changed', () => git.diffs.changed(repository, range, never));
  await measure('restricted', () => git.diffs.restricted(repository, range, ['index.*', '*.lock'], never));
  for (const strategy of ['merge', 'squash', 'rebase'] as const) {
    const request = {
      onto,
      candidate,
      strategy,
      message: 'm',
      signature: SIGNATURE,
    };
    await measure(strategy, () => git.merges.merge(repository, request, never));
  }
  await measure('swap', () => git.refs.compareAndSwap(repository, { ref: 'refs/thermidor/x', from: undefined, to: candidate }, never));
}

const MANY = sweepCount(5000, 50_000);

it(`${MANY} files take no more processes than 50, and none that lists them but if links count`, async () => {
  const [small, large] = [await measured(50), await measured(MANY)];
  const processes = (all: typeof small) => Object.fromEntries(Object.entries(all).map(([name, { processes }]) => [name, processes]));
  expect(processes(large)).toEqual(processes(small));
  // A link anywhere in the tree gives its target another name, so `restricted` reads the whole tree.
  const { restricted, ...others } = large;
  for (const [name, { bytes }] of Object.entries(others)) expect([name, bytes < 2000]).toEqual([name, true]);
  expect(restricted?.bytes).toBeLessThan(100 * MANY);
  expect(processes(large)).toEqual({
    open: 1,
    examine: 2,
    add: 1,
    status: 1,
    commit: 4,
    unchanged: 1,
    changed: 1,
    restricted: 4,
    merge: 4,
    squash: 4,
    rebase: 10,
    swap: 1,
    moveTo: 2,
    advance: 6,
  });
});
