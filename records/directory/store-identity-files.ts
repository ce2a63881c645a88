import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StoreIdentity } from '../store-identity';
import { createFile, onDisk, readIfThere, unlessGone } from './durable-file';
import { isFolderGone } from './folder-gone';
import { checkFolderIdentity } from './folder-identity';
import { keepOutOfGit } from './state-folder';
import { scratchOf, stateLayout } from './state-layout';

/**
 * On a directory: a store is named by the real path of its state folder, and the file `<state>/installation` has the id of the
 * installation. A copy of that file makes another machine part of the installation.
 */
export class StoreIdentityFiles implements StoreIdentity {
  constructor(private readonly stateDir: string) {}

  async storeId(): Promise<string> {
    return (await unlessGone(() => realpath(this.stateDir))) ?? resolve(this.stateDir);
  }

  async isGone(storeId: string): Promise<boolean> {
    return isFolderGone(storeId);
  }

  installation(): Promise<string> {
    const { installation: path, callbacks } = stateLayout(this.stateDir);
    return onDisk(WHAT, path, async () => {
      const there = await readIfThere(path);
      if (there) return idIn(path, there);
      // If several try at once, exactly one makes it.
      await createFile({ path, scratch: scratchOf(callbacks) }, `${randomUUID()}\n`);
      keepOutOfGit(dirname(path));
      return idIn(path, (await readIfThere(path)) ?? Buffer.alloc(0));
    });
  }

  knownInstallation(): Promise<string | undefined> {
    const { installation: path } = stateLayout(this.stateDir);
    return onDisk(WHAT, path, async () => {
      const there = await readIfThere(path);
      return there && idIn(path, there);
    });
  }

  check(): void {
    const { ledger, artifacts } = stateLayout(this.stateDir);
    for (const folder of [ledger, artifacts]) checkFolderIdentity(folder);
  }
}

const WHAT = 'the id of the installation';

function idIn(path: string, content: Buffer): string {
  const text = content.toString('utf8').trim();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
  throw new ThermidorFailure(
    'store.unavailable',
    `${path} is not the id of an installation; restore it, or remove it to have a new one made`,
  );
}
