import { access, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ARTIFACT_LIMIT_BYTES, type ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { KEPT_FILE_MODE } from '../../plan/run/state-file-modes';
import type { ArtifactBatch, ArtifactStore, OutputDigest } from '../artifact-store';
import { ContentSeal } from '../sealing/content-seal';
import { describeContent, requireDigest } from '../stored-content';
import { onDisk, readIfThere, replaceFile, syncFiles, unlessGone, type WriteTarget, writeWhole } from './durable-file';
import { checkFolderIdentity, markFolder } from './folder-identity';
import { type FileIdentity, RecentFiles } from './recent-files';
import { scratchOf, stateLayout } from './state-layout';

/**
 * The store of outputs in a directory: `<root>/artifacts/<aa>/<sha256>`, read-only files named by their content.
 *
 * Invariants: 1. a file under its name is complete (durable-file.ts), except one of a batch that a crash of the machine cut short; 2.
 * content is checked against its name when it is read; 3. putting content again repairs a damaged file. Retried by Temporal:
 * `store.unavailable`; nothing else.
 */
export class ArtifactFiles implements ArtifactStore {
  /** The common folder of outputs and control content, which exist or are gone together. */
  private readonly whole: string;
  private readonly scratch: string;
  /** Files that this process has made durable: content that is put again and again is read, and not synced again. */
  private readonly synced = new RecentFiles();

  constructor(
    root: string,
    private readonly limitBytes = ARTIFACT_LIMIT_BYTES,
    private readonly folder = stateLayout(root).artifacts,
    private readonly kept = new ContentSeal(),
  ) {
    this.whole = stateLayout(root).artifacts;
    this.scratch = scratchOf(this.whole);
  }

  async put(content: string | Uint8Array, as: { mediaType: string; name?: string }): Promise<ArtifactRef> {
    const { bytes, ref } = await describeContent(content, as, this.limitBytes - this.kept.growsBytes);
    const target = this.target(ref.sha256);
    await onDisk('the artifact store', this.folder, async () => {
      await markFolder(this.whole);
      const whole = await this.wholeFile(ref.sha256);
      if (!whole) await replaceFile(target, this.kept.seal(bytes, ref.sha256));
      // Another process may have written it without syncing it yet.
      else if (!this.synced.has(target.path, whole)) await this.sync([target.path]);
    });
    return ref;
  }

  batch(): ArtifactBatch {
    const there = new Set<string>();
    const unsynced = new Set<string>();
    return {
      put: async (content, as) => {
        const { bytes, ref } = await describeContent(content, as, this.limitBytes - this.kept.growsBytes);
        if (there.has(ref.sha256)) return ref;
        const target = this.target(ref.sha256);
        await onDisk('the artifact store', this.folder, async () => {
          await markFolder(this.whole);
          const whole = await this.wholeFile(ref.sha256);
          if (!whole) await writeWhole(target, this.kept.seal(bytes, ref.sha256));
          if (!whole || !this.synced.has(target.path, whole)) unsynced.add(target.path);
        });
        there.add(ref.sha256);
        return ref;
      },
      sync: async () => {
        await onDisk('the artifact store', this.folder, () => this.sync([...unsynced]));
        unsynced.clear();
      },
    };
  }

  private async sync(paths: readonly string[]): Promise<void> {
    const files = await syncFiles(paths);
    for (const [at, file] of files.entries()) this.synced.add(paths[at] ?? '', file);
  }

  /** The file under its name if its content matches. */
  private async wholeFile(sha256: string): Promise<FileIdentity | undefined> {
    const there = await unlessGone(() => open(this.pathOf(sha256), 'r'));
    if (!there) return undefined;
    try {
      return (await this.kept.isWhole(await there.readFile(), sha256)) ? await there.stat() : undefined;
    } finally {
      await there.close();
    }
  }

  private target(sha256: string): WriteTarget {
    return { path: this.pathOf(sha256), scratch: this.scratch, mode: KEPT_FILE_MODE };
  }

  async get(ref: OutputDigest): Promise<Buffer> {
    const path = this.pathOf(ref.sha256);
    const stored = await onDisk('the artifact store', this.folder, async () => {
      const found = await readIfThere(path);
      if (found === undefined) checkFolderIdentity(this.whole);
      return found;
    });
    if (stored === undefined) {
      throw new ThermidorFailure('artifact.missing', `artifact ${ref.sha256} is not in the store ${this.folder}`, { sha256: ref.sha256 });
    }
    const content = await this.kept.open(stored, ref.sha256);
    if (content === undefined) {
      throw new ThermidorFailure('artifact.missing', `artifact ${path} is damaged: its content is not what its name says`, { path });
    }
    return content;
  }

  async has(ref: OutputDigest): Promise<boolean> {
    const path = this.pathOf(ref.sha256);
    const isThere = await onDisk('the artifact store', this.folder, () => unlessGone(() => access(path).then(() => true)));
    if (!isThere) checkFolderIdentity(this.whole);
    return isThere === true;
  }

  async locate(ref: OutputDigest): Promise<string | undefined> {
    return this.kept.isOn ? undefined : this.pathOf(ref.sha256);
  }

  pathOf(sha256: string): string {
    return join(this.folder, requireDigest(sha256).slice(0, 2), sha256);
  }
}
