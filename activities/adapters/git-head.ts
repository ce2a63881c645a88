import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { WorkHead } from '../ports';

const TIMEOUT_MS = 5_000;

/** The commit that a folder's git work tree is at. Looking changes nothing there, not even the index. */
export const gitHead: WorkHead = async (folder) => {
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', '--verify', '--quiet', 'HEAD'], {
      ...{ cwd: folder, timeout: TIMEOUT_MS, encoding: 'utf8' },
      env: { ...withoutGit(process.env), GIT_OPTIONAL_LOCKS: '0' },
    });
    return stdout.trim() === '' ? undefined : stdout.trim();
  } catch {
    // No git, no repository, or one without a commit: there is nothing to tell, and nobody depends on it.
    return undefined;
  }
};

/** What a hook or a caller has set there would lead git to another repository. */
function withoutGit(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')));
}
