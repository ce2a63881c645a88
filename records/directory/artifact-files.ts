import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ARTIFACT_LIMIT_BYTES, type ArtifactRef } from '../../plan/artifact';
import { ThermidorFailure } from '../../plan/failure';
import { KEPT_FILE_MODE } from '../../plan/state-modes';
import type { ArtifactBatch, ArtifactStore, OutputDigest } from '../artifact-store';
import { onDisk, readIfThere, replaceFile, syncFile, type Target, unlessGone, writeWhole } from './durable-file';
import { checkFolder, enterFolder } from './known-folder';
import { scratchOf, stateLayout } from './state-layout';

/**
 * The store of outputs on a directory: `<root>/artifacts/<aa>/<sha256>`, read-only files named by their content.
 *
 * Invariants: 1. a file under its name is whole (durable-file.ts), but that of a batch which a crash of the machine cut short
 * may be damaged; 2. what is read is checked against its name; 3. putting content again mends a file that was damaged. Retried
 * by Temporal: `store.unavailable`; nothing else.
 */
export class ArtifactFiles implements ArtifactStore {
  /** Of outputs and of control content: what may be there or gone as one. */
  private readonly whole: string;
  private readonly scratch: string;

  constructor(
    root: string,
    private readonly limitBytes = ARTIFACT_LIMIT_BYTES,
    private readonly folder = stateLayout(root).artifacts,
  ) {
    this.whole = stateLayout(root).artifacts;
    this.scratch = scratchOf(this.whole);
  }

  async put(content: string | Uint8Array, as: { mediaType: string; name?: string }): Promise<ArtifactRef> {
    const { bytes, ref } = this.described(content, as);
    const target = this.target(ref.sha256);
    await onDisk('the artifact store', this.folder, async () => {
      await enterFolder(this.whole);
      // It may be another process's that has not synced it yet.
      if (await this.isWhole(ref.sha256)) await syncFile(target.path);
      else await replaceFile(target, bytes);
    });
    return ref;
  }

  batch(): ArtifactBatch {
    const written = new Set<string>();
    return {
      put: async (content, as) => {
        const { bytes, ref } = this.described(content, as);
        if (written.has(ref.sha256)) return ref;
        await onDisk('the artifact store', this.folder, async () => {
          await enterFolder(this.whole);
          if (!(await this.isWhole(ref.sha256))) await writeWhole(this.target(ref.sha256), bytes);
        });
        written.add(ref.sha256);
        return ref;
      },
      sync: async () => {
        const paths = [...written].map((sha256) => this.pathOf(sha256));
        await onDisk('the artifact store', this.folder, async () => void (await Promise.all(paths.map(syncFile))));
      },
    };
  }

  private described(content: string | Uint8Array, as: { mediaType: string; name?: string }): { bytes: Uint8Array; ref: ArtifactRef } {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    if (bytes.byteLength > this.limitBytes) {
      const what = as.name === undefined ? 'an output' : `"${as.name}"`;
      throw new ThermidorFailure('output.too-large', `${what} has ${bytes.byteLength} bytes; the store takes ${this.limitBytes}`, {
        sizeBytes: bytes.byteLength,
        limitBytes: this.limitBytes,
      });
    }
    const ref: ArtifactRef = { sha256: digestOf(bytes), sizeBytes: bytes.byteLength, mediaType: as.mediaType };
    if (as.name !== undefined) ref.name = as.name;
    return { bytes, ref };
  }

  private async isWhole(sha256: string): Promise<boolean> {
    const there = await readIfThere(this.pathOf(sha256));
    return there !== undefined && digestOf(there) === sha256;
  }

  private target(sha256: string): Target {
    return { path: this.pathOf(sha256), scratch: this.scratch, mode: KEPT_FILE_MODE };
  }

  async get(ref: OutputDigest): Promise<Buffer> {
    const path = this.pathOf(ref.sha256);
    const content = await onDisk('the artifact store', this.folder, async () => {
      const found = await readIfThere(path);
      if (found === undefined) checkFolder(this.whole);
      return found;
    });
    if (content === undefined) {
      throw new ThermidorFailure('artifact.missing', `artifact ${ref.sha256} is not in the store ${this.folder}`, { sha256: ref.sha256 });
    }
    if (digestOf(content) !== ref.sha256) {
      throw new ThermidorFailure('artifact.missing', `artifact ${path} is damaged: its content is not what its name says`, { path });
    }
    return content;
  }

  async has(ref: OutputDigest): Promise<boolean> {
    const path = this.pathOf(ref.sha256);
    const isThere = await onDisk('the artifact store', this.folder, () => unlessGone(() => access(path).then(() => true)));
    if (!isThere) checkFolder(this.whole);
    return isThere === true;
  }

  async locate(ref: OutputDigest): Promise<string> {
    return this.pathOf(ref.sha256);
  }

  pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) {
      throw new ThermidorFailure('artifact.missing', `"${sha256}" is not an artifact's digest`);
    }
    return join(this.folder, sha256.slice(0, 2), sha256);
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
