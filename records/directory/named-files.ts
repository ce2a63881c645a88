import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Address, formatPath } from '../../plan/address';
import type { ArtifactRef } from '../../plan/artifact';
import { STATE_FOLDER_MODE } from '../../plan/state-modes';
import type { ArtifactStore } from '../artifact-store';
import { fileName } from './file-name';

/** Where people find a step's output by its name: `<root>/runs/<workflowId>/<step>[.<round>]/<name>`. */
export function namedFile(root: string, workflowId: string, address: Address, name: string): string {
  const round = address.round > 1 ? `.${address.round}` : '';
  const steps = formatPath(address.path).split('/').map(readable);
  steps.push(`${steps.pop() ?? ''}${round}`);
  return join(root, 'runs', readable(workflowId), ...steps, readable(name));
}

/** Names people chose stay as they are, capitals too; anything that could lead elsewhere is encoded. */
function readable(text: string): string {
  return /^[A-Za-z0-9_[\]-][A-Za-z0-9_.[\] -]{0,150}$/.test(text) ? text : fileName(text);
}

/**
 * Lays an artifact out under its name: a hard link into the store, or a copy where links cannot be. It is a convenience for
 * people: nothing reads it back, and a later try of the same round replaces it.
 */
export async function layOut(root: string, store: ArtifactStore, ref: ArtifactRef, workflowId: string, address: Address): Promise<void> {
  const content = store.locate(ref);
  if (content === undefined || ref.name === undefined) return;
  const path = namedFile(root, workflowId, address, ref.name);
  const fresh = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true, mode: STATE_FOLDER_MODE });
  try {
    await link(content, fresh).catch(() => copyFile(content, fresh));
    await rename(fresh, path);
  } finally {
    // Where both names are the same file already, rename leaves the fresh one behind.
    await rm(fresh, { force: true });
  }
}
