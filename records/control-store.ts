import type { ControlKind, ControlRef } from '../plan/run/artifact';

/** Control content (plan/run/artifact.ts), each kind apart from the others and from outputs. Asks of the store: what `ArtifactStore` asks. */
export interface ControlReader {
  /** Checked against its digest. Fails with `artifact.missing`, also where the same bytes are there as another kind, or `store.unavailable`. */
  get(ref: ControlRef): Promise<Buffer>;
}

/**
 * Who holds this decides what runs obey. The activities of steps hold a `ControlReader` alone, so that nothing an agent, a command
 * or a person says is ever stored as control content.
 */
export interface ControlStore extends ControlReader {
  /** JSON text. Durable when it returns. Fails with `output.too-large` or `store.unavailable`. */
  put<K extends ControlKind>(kind: K, text: string, name: string): Promise<ControlRef<K>>;
}
