import { join } from 'node:path';
import { ARTIFACT_LIMIT_BYTES, type ControlKind, type ControlRef } from '../../plan/run/artifact';
import type { ControlStore } from '../control-store';
import { ArtifactFiles } from './artifact-files';
import { stateLayout } from './state-layout';

/**
 * Control content in a directory: `<root>/artifacts/<kind>/<aa>/<sha256>`. The folder, and not the reference, says what a file may be read
 * as: the bytes of a plan that an agent output are among outputs, and no reference to a plan finds them.
 */
export class ControlFiles implements ControlStore {
  private readonly kinds: Readonly<Record<ControlKind, ArtifactFiles>>;

  constructor(root: string) {
    const { artifacts } = stateLayout(root);
    const folderOf = (kind: ControlKind) => new ArtifactFiles(root, ARTIFACT_LIMIT_BYTES, join(artifacts, kind));
    this.kinds = { plan: folderOf('plan'), script: folderOf('script'), carry: folderOf('carry'), snapshot: folderOf('snapshot') };
  }

  async put<K extends ControlKind>(kind: K, text: string, name: string): Promise<ControlRef<K>> {
    const { sha256, sizeBytes, mediaType } = await this.kinds[kind].put(text, { mediaType: 'application/json', name });
    return { kind, sha256, sizeBytes, mediaType, name };
  }

  get({ kind, sha256 }: ControlRef): Promise<Buffer> {
    return this.kinds[kind].get({ sha256 });
  }
}
