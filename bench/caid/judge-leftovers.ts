import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Evidence, Violation } from './evidence';
import { git, lines } from './git-command';

/** Checks that nothing is left of a run: no worktree, no ref, no lock, no process. */
export function judgeLeftovers({ repository, branch, keptRefs, folders, worktreeFolders }: Evidence): Violation[] {
  const registered = git(repository, 'worktree', 'list', '--porcelain', '-z')
    .split('\0')
    .filter((line) => line.startsWith('worktree '));
  const folded = worktreeFolders.filter(existsSync).flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const refs = lines(git(repository, 'for-each-ref', '--format=%(refname)')).filter(
    (ref) => ref !== `refs/heads/${branch}` && !keptRefs.test(ref),
  );
  const gitDir = git(repository, 'rev-parse', '--absolute-git-dir');
  const locks = readdirSync(gitDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'));
  return [
    ...registered
      .slice(1)
      .map((line): Violation => ({ kind: 'worktree', message: `${line.slice('worktree '.length)} is registered in ${repository}` })),
    ...folded.map((path): Violation => ({ kind: 'worktree', message: `${path} is there` })),
    ...refs.map((ref): Violation => ({ kind: 'ref', message: `${ref} is there` })),
    ...locks.map((name): Violation => ({ kind: 'lock', message: `${join(gitDir, name)} is there` })),
    ...processesIn([...folders, ...worktreeFolders]).map(
      ({ pid, command }): Violation => ({ kind: 'process', message: `${pid} runs: ${command}` }),
    ),
  ];
}

/** Processes that work in one of the folders, or name one among their arguments; not this one. Linux. */
export function processesIn(folders: readonly string[]): { pid: number; command: string }[] {
  const isWithin = (path: string): boolean => folders.some((folder) => path === folder || path.startsWith(folder + sep));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        const found = isWithin(readlinkSync(`/proc/${name}/cwd`)) || args.some(isWithin);
        return found ? [{ pid: Number(name), command: args.join(' ').trim() }] : [];
      } catch {
        // It ended meanwhile, or is another user's.
        return [];
      }
    });
}
