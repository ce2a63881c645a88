import { recordsOf, type StoreConfiguration } from '../settings/records';
import type { Terminal } from '../terminal';

/**
 * The caller's environment and folder, for the commands of its run: a record that only workers of the store can read, written before
 * the run starts and before it continues, removed when the run is over. It never enters workflow history.
 */
export interface CallerFile {
  write(): Promise<void>;
  remove(): Promise<void>;
}

export function callerFile(store: StoreConfiguration, run: string, { env, cwd }: Pick<Terminal, 'env' | 'cwd'>): CallerFile {
  const { environments } = recordsOf(store);
  return { write: () => environments.write(run, { env, cwd }), remove: () => environments.remove(run) };
}
