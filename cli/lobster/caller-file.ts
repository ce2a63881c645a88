import { recordsIn } from '../settings/records';
import type { Terminal } from '../terminal';

/**
 * The caller's environment and folder, for the commands of its run: a file in the state folder that only its owner can read, written before
 * the run starts and before it continues, removed when the run is over. It never enters workflow history.
 */
export interface CallerFile {
  write(): Promise<void>;
  remove(): Promise<void>;
}

export function callerFile(stateDir: string, run: string, { env, cwd }: Pick<Terminal, 'env' | 'cwd'>): CallerFile {
  const { environments } = recordsIn(stateDir);
  return { write: () => environments.write(run, { env, cwd }), remove: () => environments.remove(run) };
}
