import type { ControlKind, FrozenRef } from '../plan/run/artifact';
import type { ArtifactStore } from './artifact-store';
import type { ControlReader } from './control-store';

/** The stores from which runs' own content is read. */
export interface ControlContent {
  artifacts: ArtifactStore;
  control: ControlReader;
}

/**
 * Reads content that a run's own record names, never one that an input names: in a run that was opened before the store kept kinds apart
 * the reference has no kind and leads to an output. Fails with `artifact.missing`, `store.unavailable`.
 */
export function readControlContent({ artifacts, control }: ControlContent, ref: FrozenRef<ControlKind>): Promise<Buffer> {
  return ref.kind === undefined ? artifacts.get(ref) : control.get(ref);
}
