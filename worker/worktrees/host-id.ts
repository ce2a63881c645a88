import { randomUUID } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ThermidorFailure } from '../../plan/run/failure';
import { createFile, makeFolder, onDisk, readIfThere, unlessGone } from '../../records/directory/durable-file';
import { givenHostName } from '../../records/locks/host-name';
import { digest } from './names';
import { worktreesLayout } from './worktrees-layout';

/** The facts that tell one machine from another that has a copy of its disk, or shares it. */
export interface Machine {
  hostname: string;
  /** `/etc/machine-id`, if there is one: the same in all containers of an image. */
  machineId?: string;
}

/**
 * The id of this host, such as `build-7-3f9a2c1e`, for its folder of worktrees on this machine. Workers that share both are one host.
 *
 * Invariants: 1. it stays the same for as long as folder and machine do; 2. several processes that ask for the first time at once all get
 * the same; 3. a folder that is copied to another machine, or to another place, has another id there, and so has each of several machines
 * that share one folder. So the file is named after the machine and the place.
 */
export async function hostId(root: string, machine?: Machine): Promise<string> {
  const here = machine ?? (await thisMachine());
  return await onDisk('the folder with the id of this host', root, async () => {
    await makeFolder(root);
    const path = join(root, `host-${digest(here.hostname, here.machineId ?? '', await realpath(root))}`);
    const found = (await readIfThere(path)) ?? (await create(path, root, here));
    return checked(found.toString('utf8').trim(), path);
  });
}

async function create(path: string, root: string, { hostname: name }: Machine): Promise<Buffer> {
  const readable =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, READABLE)
      .replace(/^-|-$/g, '') || 'host';
  const id = `${readable}-${randomUUID().slice(0, 8)}`;
  await createFile({ path, scratch: worktreesLayout(root).scratch }, `${id}\n`);
  // Another process may have been quicker.
  return await readFile(path);
}

const READABLE = 40;
const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function checked(id: string, path: string): string {
  if (ID.test(id)) return id;
  throw new ThermidorFailure('store.unavailable', `${path} does not contain a host's id; delete the file, and this host gets a new id`, {
    path,
  });
}

async function thisMachine(): Promise<Machine> {
  // A container that is made anew has another hostname, and perhaps another machine id.
  const name = givenHostName();
  if (name !== undefined) return { hostname: name };
  const machineId = (await unlessGone(() => readFile('/etc/machine-id', 'utf8')))?.trim();
  return { hostname: hostname(), ...(machineId ? { machineId } : {}) };
}
