import { type Amount, byKind, CONTENT_KINDS, type ContentName, NOTHING, type OldContent, plus } from '../old-content';
import { contentKey, digestIn } from './artifact-objects';
import type { Bucket, ListedObject } from './bucket';
import { type RemovalTimes, type RemoveObjects, removalsOf } from './bucket-removals';

/** Put to ask the bucket for its time. */
const CLOCK = 'clock';
const PAGE = 100;

/** Removal of content in a bucket, by the time of its last put; how it is safe next to a `put` is in bucket-removals.ts. */
export class OldObjects implements OldContent {
  private remover: RemoveObjects | undefined;

  constructor(
    private readonly bucket: Bucket,
    private readonly times?: RemovalTimes,
  ) {}

  async nowMs(): Promise<number> {
    await this.bucket.put(CLOCK, Buffer.from('the time of the bucket\n'));
    return (await this.bucket.putAtMs(CLOCK)) ?? 0;
  }

  async *before(beforeMs: number): AsyncGenerator<ContentName[]> {
    for (const kind of CONTENT_KINDS) yield* this.pages(kind, (putAtMs) => putAtMs < beforeMs);
  }

  async *since(kind: ContentName['kind'], sinceMs: number): AsyncGenerator<ContentName[]> {
    yield* this.pages(kind, (putAtMs) => putAtMs >= sinceMs);
  }

  async during(work: () => Promise<void>): Promise<void> {
    await removalsOf(this.bucket, this.times).removing(async (remover) => {
      this.remover = remover;
      await work().finally(() => {
        this.remover = undefined;
      });
    });
  }

  async remove(names: readonly ContentName[], beforeMs: number, dryRun: boolean): Promise<Amount> {
    const wanted = new Set(names.map(contentKey));
    const sizes = new Map<string, number>();
    for (const [kind, digests] of byKind(names)) {
      const beginnings = new Set(digests.map((sha256) => `${kind}/${sha256.slice(0, 2)}/`));
      for (const beginning of beginnings) {
        for await (const { key, putAtMs, sizeBytes } of this.bucket.objects(beginning))
          if (wanted.has(key) && putAtMs < beforeMs) sizes.set(key, sizeBytes);
      }
    }
    const keys = [...sizes.keys()];
    const removed = dryRun ? keys : ((await this.remover?.(keys, (putAtMs) => putAtMs < beforeMs)) ?? []);
    return removed.map((key) => ({ count: 1, bytes: sizes.get(key) ?? 0 })).reduce(plus, NOTHING);
  }

  async amount(): Promise<Amount> {
    let all = NOTHING;
    for (const kind of CONTENT_KINDS)
      for await (const { sizeBytes } of this.contents(kind)) all = plus(all, { count: 1, bytes: sizeBytes });
    return all;
  }

  private async *pages(kind: ContentName['kind'], fits: (putAtMs: number) => boolean): AsyncGenerator<ContentName[]> {
    let page: ContentName[] = [];
    for await (const { sha256, putAtMs } of this.contents(kind)) {
      if (fits(putAtMs)) page.push({ kind, sha256 });
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  private async *contents(kind: ContentName['kind']): AsyncGenerator<ListedObject & { sha256: string }> {
    for await (const object of this.bucket.objects(`${kind}/`)) {
      const sha256 = digestIn(object.key);
      if (sha256 !== undefined) yield { ...object, sha256 };
    }
  }
}
