import { execFileSync } from 'node:child_process';

const IDENTITY = ['-c', 'user.name=Lab', '-c', 'user.email=lab@localhost', '-c', 'commit.gpgsign=false', '-c', 'core.hooksPath=/dev/null'];

/** The trimmed output of git in a folder. Throws git's message if it fails. */
export function git(folder: string, ...args: string[]): string {
  const env = { ...process.env, LC_ALL: 'C', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', ['-C', folder, ...IDENTITY, ...args], { encoding: 'utf8', env, stdio: 'pipe', maxBuffer: 2 ** 26 }).trim();
}

/** The same if failure is an answer: git's `no`. */
export function gitSays(folder: string, ...args: string[]): boolean {
  try {
    git(folder, ...args);
    return true;
  } catch {
    return false;
  }
}

export function lines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}
