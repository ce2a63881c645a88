import { recordsIn } from '../settings/records';
import type { Terminal } from '../terminal';

/**
 * The caller's environment and folder, where the commands of its run find them: a file of the state folder that only its owner
 * reads, written before the run starts and before it continues, gone when the run is over. It never enters workflow history.
 */
export interface CallerFile {
  write(): Promise<void>;
  remove(): Promise<void>;
}

export function callerFile(stateDir: string, run: string, { env, cwd }: Pick<Terminal, 'env' | 'cwd'>): CallerFile {
  const { environments } = recordsIn(stateDir);
  return { write: () => environments.write(run, { env, cwd }), remove: () => environments.remove(run) };
}
