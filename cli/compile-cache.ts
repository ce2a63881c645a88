import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Node 22.8 and later have it; the types are those of Node 20. */
interface CachingModule {
  enableCompileCache?(folder: string): unknown;
}

/**
 * Has Node keep what it compiles of our modules for the next process, if it can (22.8 and later). It takes nothing for a source that has
 * changed, and goes without if the folder cannot be written. `NODE_COMPILE_CACHE` names another folder, `NODE_DISABLE_COMPILE_CACHE=1`
 * switches it off.
 *
 * The code in the folder runs, so the folder is the user's own. Node's default lies among temporary files, where others may have made it.
 */
export function useCompileCache(): void {
  const folder = userCaches();
  // Coverage of code that comes from a cache is not exact.
  if (folder === undefined || process.env['NODE_V8_COVERAGE'] !== undefined) return;
  (module as CachingModule).enableCompileCache?.(join(folder, 'thermidor', 'code'));
}

function userCaches(): string | undefined {
  const { XDG_CACHE_HOME: named } = process.env;
  if (named) return named;
  try {
    return join(homedir(), '.cache');
  } catch {
    // Nobody knows this user: in a container, any number may be one.
    return undefined;
  }
}
