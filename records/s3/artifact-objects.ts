import { ARTIFACT_LIMIT_BYTES, type ArtifactRef, type ControlKind } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ArtifactBatch, ArtifactStore, OutputDigest } from '../artifact-store';
import type { ContentName } from '../old-content';
import { ContentSeal } from '../sealing/content-seal';
import { KeyRing } from '../sealing/key-ring';
import { describeContent, requireDigest } from '../stored-content';
import type { Bucket } from './bucket';
import { shownBucket } from './bucket-place';
import { type BucketRemovals, removalsOf } from './bucket-removals';

/** What is younger need not be made young. The store's clock may differ from this one by less. */
const YOUNG_MS = 3_600_000;

/**
 * Outputs, or one kind of control content, as objects that are named by their digests: `<prefix><kind>/<aa>/<sha256>`.
 *
 * Invariants: 1. of several that put the same at once one puts it; 2. content is checked against its digest when it is read; 3. putting
 * content again repairs it if it is damaged, and makes it young, to within an hour. Retried by Temporal: `store.unavailable`; nothing else.
 */
export class ArtifactObjects implements ArtifactStore {
  private readonly kept: ContentSeal;
  private readonly removals: BucketRemovals;

  constructor(
    private readonly bucket: Bucket,
    private readonly kind: ControlKind | 'output' = 'output',
    keys = new KeyRing(),
    private readonly limitBytes = ARTIFACT_LIMIT_BYTES,
  ) {
    this.kept = new ContentSeal(keys, kind);
    this.removals = removalsOf(bucket);
  }

  async put(content: string | Uint8Array, as: { mediaType: string; name?: string }): Promise<ArtifactRef> {
    const { bytes: plain, ref } = await describeContent(content, as, this.limitBytes - this.kept.growsBytes);
    const bytes = this.kept.seal(plain, ref.sha256);
    const key = contentKey({ kind: this.kind, sha256: ref.sha256 });
    await this.removals.unlessRemoved(key, () => this.putYoung(key, bytes, ref.sha256));
    return ref;
  }

  /** Returns whether it was put: false if it is there already, and young. */
  private async putYoung(key: string, bytes: Buffer, sha256: string): Promise<boolean> {
    if (await this.bucket.putIfAbsent(key, bytes)) return true;
    const there = await this.bucket.get(key);
    const isWhole = there !== undefined && (await this.kept.isWhole(there.bytes, sha256));
    if (isWhole && Date.now() - there.putAtMs <= YOUNG_MS) return false;
    await this.bucket.put(key, bytes);
    return true;
  }

  /** An object is durable as soon as it is put. */
  batch(): ArtifactBatch {
    const there = new Map<string, Promise<ArtifactRef>>();
    return {
      put: async (content, as) => {
        const { ref } = await describeContent(content, as, this.limitBytes - this.kept.growsBytes);
        const known = there.get(ref.sha256) ?? this.put(content, as);
        there.set(ref.sha256, known);
        await known.catch((error) => {
          there.delete(ref.sha256);
          throw error;
        });
        return ref;
      },
      sync: async () => undefined,
    };
  }

  async get({ sha256 }: OutputDigest): Promise<Buffer> {
    const found = await this.bucket.get(contentKey({ kind: this.kind, sha256 }));
    const store = shownBucket(this.bucket.place);
    if (!found) throw new ThermidorFailure('artifact.missing', `artifact ${sha256} is not in the bucket ${store}`, { sha256 });
    const content = await this.kept.open(found.bytes, sha256);
    if (!content) {
      throw new ThermidorFailure(
        'artifact.missing',
        `artifact ${sha256} is damaged in the bucket ${store}: its content has another digest`,
        {
          sha256,
        },
      );
    }
    return content;
  }

  async has({ sha256 }: OutputDigest): Promise<boolean> {
    return await this.bucket.has(contentKey({ kind: this.kind, sha256 }));
  }

  async locate(): Promise<undefined> {
    return undefined;
  }

  /** The digests of all that is there. */
  async *digests(): AsyncGenerator<string> {
    for await (const { key } of this.bucket.objects(`${this.kind}/`)) {
      const sha256 = digestIn(key);
      if (sha256 !== undefined) yield sha256;
    }
  }
}

/** The key of content. */
export function contentKey({ kind, sha256 }: ContentName): string {
  return `${kind}/${requireDigest(sha256).slice(0, 2)}/${sha256}`;
}

export function digestIn(key: string): string | undefined {
  return /^[^/]*\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(key)?.[1];
}
