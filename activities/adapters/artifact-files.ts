import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ARTIFACT_LIMIT_BYTES, type ArtifactRef } from '../../plan/artifact';
import { ThermidorFailure } from '../../plan/failure';
import type { ArtifactStore } from '../ports';
import { onDisk, replaceFile, syncFolder } from './durable-file';
import { errorCode } from './error-code';

/**
 * The artifact store on a directory: `<root>/artifacts/<aa>/<sha256>`, read-only files named by their content.
 *
 * Invariants: 1. a file under its name is whole (durable-file.ts); 2. what is read is checked against its name; 3. putting
 * content again mends a file that was damaged. Retried by Temporal: `store.unavailable`; nothing else.
 */
export class ArtifactFiles implements ArtifactStore {
  private readonly folder: string;

  constructor(
    root: string,
    private readonly limitBytes = ARTIFACT_LIMIT_BYTES,
  ) {
    this.folder = join(root, 'artifacts');
  }

  async put(content: string | Uint8Array, as: { mediaType: string; name?: string }): Promise<ArtifactRef> {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    if (bytes.byteLength > this.limitBytes) {
      const what = as.name === undefined ? 'an output' : `"${as.name}"`;
      throw new ThermidorFailure('output.too-large', `${what} has ${bytes.byteLength} bytes; the store takes ${this.limitBytes}`, {
        sizeBytes: bytes.byteLength,
        limitBytes: this.limitBytes,
      });
    }
    const sha256 = digestOf(bytes);
    const path = this.pathOf(sha256);
    await onDisk('the artifact store', this.folder, async () => {
      const there = await readIfThere(path);
      // The entry may be another process's that has not synced it yet.
      if (there !== undefined && digestOf(there) === sha256) await syncFolder(join(path, '..'));
      else await replaceFile({ path, scratch: join(this.folder, 'scratch'), mode: 0o444 }, bytes);
    });
    const ref: ArtifactRef = { sha256, sizeBytes: bytes.byteLength, mediaType: as.mediaType };
    if (as.name !== undefined) ref.name = as.name;
    return ref;
  }

  async get(ref: Pick<ArtifactRef, 'sha256'>): Promise<Buffer> {
    const path = this.pathOf(ref.sha256);
    const content = await onDisk('the artifact store', this.folder, () => readIfThere(path));
    if (content === undefined) {
      throw new ThermidorFailure('artifact.missing', `artifact ${ref.sha256} is not in the store ${this.folder}`, { sha256: ref.sha256 });
    }
    if (digestOf(content) !== ref.sha256) {
      throw new ThermidorFailure('artifact.missing', `artifact ${path} is damaged: its content is not what its name says`, { path });
    }
    return content;
  }

  locate(ref: Pick<ArtifactRef, 'sha256'>): string {
    return this.pathOf(ref.sha256);
  }

  private pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) {
      throw new ThermidorFailure('artifact.missing', `"${sha256}" is not an artifact's digest`);
    }
    return join(this.folder, sha256.slice(0, 2), sha256);
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
