import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { ThermidorFailure } from '../../plan/run/failure';
import { createFile, onDisk, readIfThere } from './durable-file';
import { keepOutOfGit } from './state-folder';
import { scratchOf, stateLayout } from './state-layout';

/**
 * The id of an installation: a UUID in a file of its state folder, which tells what is its own on a server that several share. A copy of
 * the file makes another machine part of the installation. Both fail with `store.unavailable`.
 */
export function installationId(stateDir: string): Promise<string> {
  const { installation: path, callbacks } = stateLayout(stateDir);
  return onDisk('the id of the installation', path, async () => {
    const there = await readIfThere(path);
    if (there) return idIn(path, there);
    // If several try at once, exactly one makes it.
    await createFile({ path, scratch: scratchOf(callbacks) }, `${randomUUID()}\n`);
    keepOutOfGit(dirname(path));
    return idIn(path, (await readIfThere(path)) ?? Buffer.alloc(0));
  });
}

/** Undefined where the state folder has none yet, which owns nothing. */
export function knownInstallationId(stateDir: string): Promise<string | undefined> {
  const { installation: path } = stateLayout(stateDir);
  return onDisk('the id of the installation', path, async () => {
    const there = await readIfThere(path);
    return there && idIn(path, there);
  });
}

function idIn(path: string, content: Buffer): string {
  const text = content.toString('utf8').trim();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
  throw new ThermidorFailure(
    'store.unavailable',
    `${path} is not the id of an installation; restore it, or remove it to have a new one made`,
  );
}
