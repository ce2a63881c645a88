import type { ArtifactRef } from '../plan/run/artifact';

/**
 * Content-addressed store of outputs. `put` of content that exists already succeeds.
 *
 * Requires of the store: that an object exists completely or not at all, and read-after-write, from any process.
 */
export interface ArtifactStore {
  /** Durable when it returns. Fails with `output.too-large` or `store.unavailable`. */
  put(content: string | Uint8Array, as: { mediaType: string; name?: string }): Promise<ArtifactRef>;
  /** For many puts in a row that a crash of the machine may lose. */
  batch(): ArtifactBatch;
  /** Checked against its digest. Fails with `artifact.missing` or `store.unavailable`. */
  get(ref: OutputDigest): Promise<Buffer>;
  has(ref: OutputDigest): Promise<boolean>;
  /** Where a person can open it, as a path or a URL, if anywhere. */
  locate(ref: OutputDigest): Promise<string | undefined>;
}

/** The part of a reference that finds an output. A reference to control content is none. */
export type OutputDigest = Pick<ArtifactRef, 'sha256' | 'kind'>;

/** Everybody can read what is put at once, also after this process is killed; it survives a crash of the machine from `sync` on. */
export interface ArtifactBatch {
  put(content: string, as: { mediaType: string; name?: string }): Promise<ArtifactRef>;
  /** Makes all that was put durable. */
  sync(): Promise<void>;
}
