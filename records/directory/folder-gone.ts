import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/**
 * Whether the store of that id is a state folder of this machine that is not there any more. Of a store elsewhere nobody here can say so:
 * a database that does not answer still has its runs.
 */
export function isFolderGone(storeId: string): boolean {
  return isAbsolute(storeId) && !existsSync(storeId);
}
