import type { ControlKind, ControlRef } from '../plan/run/artifact';
import type { ArtifactStore } from './artifact-store';
import type { ControlStore } from './control-store';

type KindStore = Pick<ArtifactStore, 'put' | 'get'>;

/**
 * Control content in a store for each kind. The store, and not the reference, says what content may be read as: the bytes of a plan that an
 * agent output are among outputs, and no reference to a plan finds them.
 */
export class ControlContent implements ControlStore {
  private readonly kinds: Readonly<Record<ControlKind, KindStore>>;

  constructor(storeOf: (kind: ControlKind) => KindStore) {
    this.kinds = { plan: storeOf('plan'), script: storeOf('script'), carry: storeOf('carry'), snapshot: storeOf('snapshot') };
  }

  async put<K extends ControlKind>(kind: K, text: string, name: string): Promise<ControlRef<K>> {
    const { sha256, sizeBytes, mediaType } = await this.kinds[kind].put(text, { mediaType: 'application/json', name });
    return { kind, sha256, sizeBytes, mediaType, name };
  }

  get({ kind, sha256 }: ControlRef): Promise<Buffer> {
    return this.kinds[kind].get({ sha256 });
  }
}
