import type { ArtifactRef } from '../plan/run/artifact';

/**
 * Content-addressed store of outputs. `put` of content that is there already is a success.
 *
 * Asks of the store: that an object is there whole or not at all, and read-after-write, from any process.
 */
export interface ArtifactStore {
  /** Durable when it returns. Fails with `output.too-large` or `store.unavailable`. */
  put(content: string | Uint8Array, as: { mediaType: string; name?: string }): Promise<ArtifactRef>;
  /** For many puts in a row that a crash of the machine may cost. */
  batch(): ArtifactBatch;
  /** Checked against its digest. Fails with `artifact.missing` or `store.unavailable`. */
  get(ref: OutputDigest): Promise<Buffer>;
  has(ref: OutputDigest): Promise<boolean>;
  /** Where a person can open it, as a path or a URL, if anywhere. */
  locate(ref: OutputDigest): Promise<string | undefined>;
}

/** As much of a reference as finds an output. A reference to control content is none. */
export type OutputDigest = Pick<ArtifactRef, 'sha256' | 'kind'>;

/** What is put is there for all at once, also after this process is killed; it survives the machine from `sync` on. */
export interface ArtifactBatch {
  put(content: string, as: { mediaType: string; name?: string }): Promise<ArtifactRef>;
  /** Makes all that was put durable. */
  sync(): Promise<void>;
}
