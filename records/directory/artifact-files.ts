import type { Stats } from 'node:fs';
import { access, open, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ARTIFACT_LIMIT_BYTES, type ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { KEPT_FILE_MODE } from '../../plan/run/state-file-modes';
import type { ArtifactBatch, ArtifactStore, OutputDigest } from '../artifact-store';
import { ContentSeal } from '../sealing/content-seal';
import { describeContent, requireDigest } from '../stored-content';
import { makeFolder, onDisk, readIfThere, replaceFile, syncPath, unlessGone, type WriteTarget, writeWhole } from './durable-file';
import { checkFolderIdentity, markFolder } from './folder-identity';
import { RecentFiles } from './recent-files';
import { scratchOf, stateLayout } from './state-layout';
import { storeNow } from './store-clock';

/** What is younger need not be made young. The clocks of hosts that share the folder differ by less. */
const YOUNG_MS = 3_600_000;

/**
 * The store of outputs in a directory: `<root>/artifacts/<aa>/<sha256>`, read-only files named by their content.
 *
 * Invariants: 1. a file under its name is complete (durable-file.ts), except one of a batch that a crash of the machine cut short; 2.
 * content is checked against its name when it is read; 3. putting content again repairs a damaged file, and makes it young, to within an
 * hour; 4. a file that is removed is put aside first (old-content-files.ts), and can be read there. Retried by Temporal:
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
      // Another process may have written it without syncing it yet.
      const isKept = whole && (this.synced.has(target.path, whole) || (await this.sync([ref.sha256])));
      if (!isKept) await replaceFile(target, this.kept.seal(bytes, ref.sha256));
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
          if (!whole || !this.synced.has(target.path, whole)) unsynced.add(ref.sha256);
        });
        there.add(ref.sha256);
        return ref;
      },
      sync: async () => {
        const areThere = await onDisk('the artifact store', this.folder, () => this.sync([...unsynced]));
        if (!areThere) throw new ThermidorFailure('store.unavailable', `files of ${this.folder} were removed as they were written`);
        unsynced.clear();
      },
    };
  }

  /** Makes files durable, with their entries in folders. Whether all are there. */
  private async sync(digests: readonly string[]): Promise<boolean> {
    const files = await Promise.all(digests.map((sha256) => this.placed(sha256, (path) => unlessGone(() => syncPath(path)))));
    const paths = digests.map((sha256) => this.pathOf(sha256));
    await Promise.all([...new Set(paths.map((path) => dirname(path)))].map(syncPath));
    for (const [at, file] of files.entries()) if (file) this.synced.add(paths[at] ?? '', file);
    return !files.includes(undefined);
  }

  /** The file under its name if its content matches; it is young by then. */
  private async wholeFile(sha256: string): Promise<Stats | undefined> {
    const path = this.pathOf(sha256);
    const there = await unlessGone(() => open(path, 'r'));
    if (!there) return undefined;
    try {
      if (!(await this.kept.isWhole(await there.readFile(), sha256))) return undefined;
      const file = await there.stat();
      return (await this.isYoung(path, file)) ? file : undefined;
    } finally {
      await there.close();
    }
  }

  /** Makes it young if it is not. False if it was put aside meanwhile: then nobody may have seen its new time. */
  private async isYoung(path: string, file: Stats): Promise<boolean> {
    if (Math.abs(Date.now() - file.mtimeMs) < YOUNG_MS) return true;
    await makeFolder(this.scratch);
    const now = (await storeNow(this.scratch)) / 1000;
    const touched = await unlessGone(async () => {
      await utimes(path, now, now);
      return await stat(path);
    });
    return touched?.ino === file.ino;
  }

  private target(sha256: string): WriteTarget {
    return { path: this.pathOf(sha256), scratch: this.scratch, mode: KEPT_FILE_MODE };
  }

  async get(ref: OutputDigest): Promise<Buffer> {
    const path = this.pathOf(ref.sha256);
    const stored = await this.found(ref, readIfThere);
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
    return (await this.found(ref, (path) => unlessGone(() => access(path).then(() => true)))) === true;
  }

  /** What is put back while it is looked for is in its place again once it is not aside any more. */
  private async placed<T>(sha256: string, look: (path: string) => Promise<T | undefined>): Promise<T | undefined> {
    const path = this.pathOf(sha256);
    return (await look(path)) ?? (await look(asideOf(this.folder, sha256))) ?? (await look(path));
  }

  private async found<T>({ sha256 }: OutputDigest, look: (path: string) => Promise<T | undefined>): Promise<T | undefined> {
    return await onDisk('the artifact store', this.folder, async () => {
      const found = await this.placed(sha256, look);
      if (found === undefined) checkFolderIdentity(this.whole);
      return found;
    });
  }

  async locate(ref: OutputDigest): Promise<string | undefined> {
    return this.kept.isOn ? undefined : this.pathOf(ref.sha256);
  }

  pathOf(sha256: string): string {
    return join(this.folder, requireDigest(sha256).slice(0, 2), sha256);
  }
}

/** Where a file of this folder is while it is judged whether it may go. */
export function asideOf(folder: string, sha256: string): string {
  return join(folder, 'aside', sha256);
}
