import { ControlContent } from '../control-content';
import { lazilyOver } from '../lazily';
import type { Records } from '../records';
import type { KeyRing } from '../sealing/key-ring';
import { unnamedOutputs } from '../unnamed-outputs';
import { ArtifactObjects } from './artifact-objects';
import { Bucket } from './bucket';
import type { BucketPlace } from './bucket-place';
import { OldObjects } from './old-objects';

/** A store whose content is in a bucket, and all else where it was. */
export function withBucket(records: Records, place: BucketPlace, keys: KeyRing): Records {
  const bucket = new Bucket(place);
  return lazilyOver(records, {
    artifacts: () => new ArtifactObjects(bucket, 'output', keys),
    control: () => new ControlContent((kind) => new ArtifactObjects(bucket, kind, keys)),
    oldContent: () => new OldObjects(bucket),
    outputs: () => unnamedOutputs,
    ready: () => async (places) => {
      await records.ready(places);
      await bucket.check();
    },
  });
}
