import { link, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { type Amount, CONTENT_KINDS, type ContentName, NOTHING, type OldContent, plus } from '../old-content';
import { requireDigest } from '../stored-content';
import { asideOf } from './artifact-files';
import { makeFolder, namesIn, onDisk, unlessGone } from './durable-file';
import { scratchOf, stateLayout } from './state-layout';
import { storeNow } from './store-clock';

/** How many files a page has. */
const PAGE = 500;

/**
 * Removal of content files. A file is put aside by one rename, looked at again there, and removed or put back: who makes it young looks
 * whether it is in its place afterwards, so one of the two sees what the other did. A file that a killed process has left aside can be
 * read there, and is judged by the next one.
 */
export class OldContentFiles implements OldContent {
  private readonly whole: string;

  constructor(root: string) {
    this.whole = stateLayout(root).artifacts;
  }

  nowMs(): Promise<number> {
    const scratch = scratchOf(this.whole);
    return this.onDisk(async () => {
      await makeFolder(scratch);
      return await storeNow(scratch);
    });
  }

  async *before(beforeMs: number): AsyncGenerator<ContentName[]> {
    yield* this.pages(CONTENT_KINDS, (putAtMs) => putAtMs < beforeMs);
  }

  async *since(kind: ContentName['kind'], sinceMs: number): AsyncGenerator<ContentName[]> {
    yield* this.pages([kind], (putAtMs) => putAtMs >= sinceMs);
  }

  private async *pages(kinds: readonly ContentName['kind'][], fits: (putAtMs: number) => boolean): AsyncGenerator<ContentName[]> {
    let page: ContentName[] = [];
    for await (const { name, path } of this.files(kinds)) {
      const file = await this.onDisk(() => unlessGone(() => stat(path)));
      if (file && fits(file.mtimeMs)) page.push(name);
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  during(work: () => Promise<void>): Promise<void> {
    return work();
  }

  async remove(names: readonly ContentName[], beforeMs: number, dryRun: boolean): Promise<Amount> {
    let removed = NOTHING;
    for (const name of names) removed = plus(removed, await this.onDisk(() => this.removeOne(name, beforeMs, dryRun)));
    return removed;
  }

  async amount(): Promise<Amount> {
    let all = NOTHING;
    for await (const { path } of this.files()) {
      const file = await this.onDisk(() => unlessGone(() => stat(path)));
      if (file) all = plus(all, { count: 1, bytes: file.size });
    }
    return all;
  }

  private async removeOne({ kind, sha256 }: ContentName, beforeMs: number, dryRun: boolean): Promise<Amount> {
    const folder = this.folderOf(kind);
    const [path, aside] = [join(folder, requireDigest(sha256).slice(0, 2), sha256), asideOf(folder, sha256)];
    const there = (await unlessGone(() => stat(path))) ?? (await unlessGone(() => stat(aside)));
    if (!there || there.mtimeMs >= beforeMs) return NOTHING;
    if (dryRun) return { count: 1, bytes: there.size };
    await makeFolder(dirname(aside));
    await unlessGone(() => rename(path, aside));
    const judged = await unlessGone(() => stat(aside));
    // Another process has removed it, or put it back.
    if (!judged) return NOTHING;
    if (judged.mtimeMs < beforeMs) {
      await rm(aside, { force: true });
      return { count: 1, bytes: judged.size };
    }
    await unlessGone(() => link(aside, path)).catch((error: unknown) => {
      // Somebody has put it again.
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    await rm(aside, { force: true });
    return NOTHING;
  }

  /** Those that were put aside are among them. */
  private async *files(kinds: readonly ContentName['kind'][] = CONTENT_KINDS): AsyncGenerator<{ name: ContentName; path: string }> {
    for (const kind of kinds) {
      const folder = this.folderOf(kind);
      const names = (await this.onDisk(() => namesIn(folder))).filter((name) => /^([0-9a-f]{2}|aside)$/.test(name));
      for (const name of names) {
        for (const sha256 of (await this.onDisk(() => unlessGone(() => readdir(join(folder, name))))) ?? [])
          if (/^[0-9a-f]{64}$/.test(sha256)) yield { name: { kind, sha256 }, path: join(folder, name, sha256) };
      }
    }
  }

  private folderOf(kind: ContentName['kind']): string {
    return kind === 'output' ? this.whole : join(this.whole, kind);
  }

  private onDisk<T>(work: () => Promise<T>): Promise<T> {
    return onDisk('the artifact store', this.whole, work);
  }
}
