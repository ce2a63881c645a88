import { mkdir, readdir, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode } from '../plan/error-code';
import { ThermidorFailure } from '../plan/run/failure';
import { STATE_FOLDER_MODE } from '../plan/run/state-file-modes';
import { type Address, formatPath } from '../plan/steps/address';
import { runFolder, stateLayout, stepFolder } from '../records/directory/state-layout';
import { hostId } from './worktrees/host-id';

/**
 * Where a step's agent works: the folder that the step names, which must exist; else `<state>/work/<workflowId>/<path>`, created if it is
 * missing. A step has one of its own for all its rounds and tries, so that later ones find the files of earlier ones. Two steps never share
 * one, and none is within another's: a segment is a name that cannot be a path.
 */
export async function workFolder(stateDir: string, workflowId: string, { path }: Pick<Address, 'path'>, named?: string): Promise<string> {
  if (named !== undefined) return await existing(resolve(named));
  const folder = stepFolder(stateDir, workflowId, formatPath(path));
  await mkdir(folder, { recursive: true, mode: STATE_FOLDER_MODE });
  return folder;
}

/** The id of the host that has the folders of steps in a state folder. A copy of that folder on another machine is another host. */
export function folderHost(stateDir: string): Promise<string> {
  return hostId(stateLayout(stateDir).folderHost);
}

/** Folders of a run in which its agents have left nothing. */
export async function removeEmptyFolders(stateDir: string, workflowId: string): Promise<void> {
  const folder = runFolder(stateDir, workflowId);
  // Without a folder there is nothing to remove. Whatever is not empty, or cannot be removed, stays.
  const steps = await readdir(folder).catch(() => []);
  const remove = (path: string): Promise<void> => rmdir(path).catch(() => undefined);
  for (const step of steps) await remove(join(folder, step));
  await remove(folder);
}

/** Whether an error says that nobody can work there. The last one: the name has a NUL character. */
export function leadsNowhere(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(errorCode(error) ?? '');
}

async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch((error: unknown) => {
    if (!leadsNowhere(error)) throw error;
  });
  if (found?.isDirectory()) return folder;
  throw new ThermidorFailure('agent.no-folder', `there is no folder ${JSON.stringify(folder)} for the agent: check the step's cwd`);
}
