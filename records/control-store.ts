import type { ControlKind, ControlRef } from '../plan/run/artifact';

/**
 * Control content (plan/run/artifact.ts), each kind apart from the others and from outputs. Requires of the store: the same as
 * `ArtifactStore`.
 */
export interface ControlReader {
  /** Checked against its digest. Fails with `artifact.missing`, also if the same bytes exist as another kind, or `store.unavailable`. */
  get(ref: ControlRef): Promise<Buffer>;
}

/**
 * The holder of this decides what runs obey. The activities of steps hold only a `ControlReader`, so that nothing an agent, a command or a
 * person says is ever stored as control content.
 */
export interface ControlStore extends ControlReader {
  /** JSON text. Durable when it returns. Fails with `output.too-large` or `store.unavailable`. */
  put<K extends ControlKind>(kind: K, text: string, name: string): Promise<ControlRef<K>>;
}
