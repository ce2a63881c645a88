import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isAtLeast, OLDEST } from '../../activities/adapters/git/version';
import { folderProblem } from '../../worker/worktrees/folder-problem';
import { bytes } from '../rendering/text/usage';
import type { Configuration } from '../settings/configuration';
import { type Check, errorMessageOf } from './check';

/** Room for the checkouts of a few large repositories. */
const LITTLE_BYTES = 1024 ** 3;

/**
 * Checks what steps with a worktree need from this host: git, and a folder. Nothing is created. Problems are only warnings: other steps
 * work without it.
 */
export function checkWorktrees({ worktreesFolder, gitConfig }: Pick<Configuration, 'worktreesFolder' | 'gitConfig'>): Check[] {
  const config = gitConfig.value;
  return [gitCheck(askGit), folderCheck(worktreesFolder.value), ...(config === undefined ? [] : [configCheck(config)])];
}

export function gitCheck(ask: (argv: readonly string[]) => string): Check {
  const hint = `install git ${OLDEST.major}.${OLDEST.minor} or newer; steps that work in worktrees need it`;
  try {
    const says = ask(['--version']);
    const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(says) ?? [];
    if (isAtLeast({ major: Number(major), minor: Number(minor) }, OLDEST.major, OLDEST.minor)) return { name: 'git', state: 'ok', says };
    return { name: 'git', state: 'warning', says: `too old, or something else: ${says}`, hint };
  } catch (error) {
    return { name: 'git', state: 'warning', says: `git does not run: ${errorMessageOf(error)}`, hint };
  }
}

function folderCheck(folder: string): Check {
  const name = 'worktrees';
  const problem = folderProblem(folder);
  if (problem) return { name, state: 'warning', says: `${folder} ${problem.says}: steps with a worktree fail`, hint: problem.hint };
  const there = nearestThere(folder);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch (error) {
    const says = `${folder} cannot be written: ${errorMessageOf(error)}`;
    return { name, state: 'warning', says, hint: 'fix the permissions, or set worktrees.folder in thermidor.yaml to another folder' };
  }
  const { bavail, bsize } = statfsSync(there);
  const free = bavail * bsize;
  const says = `${folder} can be written; ${bytes(free)} free`;
  if (free >= LITTLE_BYTES) return { name, state: 'ok', says };
  return { name, state: 'warning', says, hint: 'free some space; thermidor worktree prune removes what is left over' };
}

function configCheck(path: string): Check {
  const name = 'git configuration';
  const hint = 'correct git.config in thermidor.yaml, or the file';
  if (!existsSync(path)) return { name, state: 'failed', says: `${path} does not exist`, hint };
  try {
    askGit(['config', '--file', path, '--list', '--name-only']);
    return { name, state: 'ok', says: path };
  } catch (error) {
    return { name, state: 'failed', says: `git cannot read ${path}: ${errorMessageOf(error)}`, hint };
  }
}

function askGit(argv: readonly string[]): string {
  return execFileSync('git', argv, { encoding: 'utf8', timeout: 5_000, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

function nearestThere(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestThere(dirname(folder));
}
