import { CONTROL_KINDS } from '../../plan/run/artifact';
import { KeyRing } from '../sealing/key-ring';
import type { StorePart } from '../transfer/store-part';
import type { StoreTransfer } from '../transfer/store-transfer';
import { ArtifactObjects } from './artifact-objects';
import { Bucket } from './bucket';
import { type BucketPlace, shownBucket } from './bucket-place';

/** A store whose content is in a bucket, as it moves to another, or is made from one. Content in the store itself is left there. */
export function transferWithBucket(store: StoreTransfer, place: BucketPlace, keys = new KeyRing()): StoreTransfer {
  const bucket = new Bucket(place);
  return {
    ...store,
    get shown() {
      return `${store.shown} with ${shownBucket(place)}`;
    },
    async check(as) {
      await store.check(as);
      if (as === 'to') await bucket.check();
    },
    async *parts() {
      yield* contents(bucket, keys);
      for await (const part of store.parts()) if (part.kind !== 'content') yield part;
    },
    async add(part) {
      if (part.kind === 'content') await new ArtifactObjects(bucket, part.of, keys).put(part.bytes, { mediaType: '' });
      else await store.add(part);
    },
    async replace(part) {
      if (part.kind === 'content') await new ArtifactObjects(bucket, part.of, keys).put(part.bytes, { mediaType: '' });
      else await store.replace(part);
    },
    async close() {
      await Promise.all([store.close(), bucket.close()]);
    },
  };
}

async function* contents(bucket: Bucket, keys: KeyRing): AsyncGenerator<StorePart> {
  for (const of of ['output', ...CONTROL_KINDS] as const) {
    const objects = new ArtifactObjects(bucket, of, keys);
    for await (const sha256 of objects.digests()) yield { kind: 'content', of, sha256, bytes: await objects.get({ sha256 }) };
  }
}
