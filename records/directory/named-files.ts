import { randomUUID } from 'node:crypto';
import { access, copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArtifactRef } from '../../plan/run/artifact';
import { STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { type Address, formatPath } from '../../plan/steps/address';
import type { NamedOutputs } from '../named-outputs';
import type { ArtifactFiles } from './artifact-files';
import { fileName } from './file-name';
import { stateLayout } from './state-layout';

/**
 * Outputs under their names in a directory: `<root>/runs/<workflowId>/<step>[.<round>]/<name>`, a hard link into the store, or a copy if
 * links are impossible.
 */
export class NamedFiles implements NamedOutputs {
  private readonly folder: string;

  constructor(
    root: string,
    private readonly artifacts: Pick<ArtifactFiles, 'pathOf'>,
  ) {
    this.folder = stateLayout(root).outputs;
  }

  async layOut(ref: ArtifactRef, workflowId: string, address: Address): Promise<void> {
    if (ref.name === undefined) return;
    const content = this.artifacts.pathOf(ref.sha256);
    const path = this.pathOf(workflowId, address, ref.name);
    const fresh = `${path}.${randomUUID()}`;
    await mkdir(dirname(path), { recursive: true, mode: STATE_FOLDER_MODE });
    try {
      // Some file systems have no hard links.
      await link(content, fresh).catch(() => copyFile(content, fresh));
      await rename(fresh, path);
    } finally {
      // If both names are the same file already, rename leaves the fresh one behind.
      await rm(fresh, { force: true });
    }
  }

  async locate(workflowId: string, address: Address, name: string): Promise<string | undefined> {
    const path = this.pathOf(workflowId, address, name);
    return await access(path).then(
      () => path,
      () => undefined,
    );
  }

  pathOf(workflowId: string, address: Address, name: string): string {
    const round = address.round > 1 ? `.${address.round}` : '';
    const steps = formatPath(address.path).split('/').map(readable);
    steps.push(`${steps.pop() ?? ''}${round}`);
    return join(this.folder, readable(workflowId), ...steps, readable(name));
  }

  /** All that a workflow id has. */
  folderOf(workflowId: string): string {
    return join(this.folder, readable(workflowId));
  }
}

/** Names people chose stay as they are, capitals too; anything that could lead elsewhere is encoded. */
function readable(text: string): string {
  return /^[A-Za-z0-9_[\]-][A-Za-z0-9_.[\] -]{0,150}$/.test(text) ? text : fileName(text);
}
