import { ControlContent } from '../control-content';
import { lazilyOver } from '../lazily';
import type { Records } from '../records';
import { unnamedOutputs } from '../unnamed-outputs';
import { ArtifactObjects } from './artifact-objects';
import { Bucket } from './bucket';
import type { BucketPlace } from './bucket-place';

/** A store whose content is in a bucket, and all else where it was. */
export function withBucket(records: Records, place: BucketPlace): Records {
  const bucket = new Bucket(place);
  return lazilyOver(records, {
    artifacts: () => new ArtifactObjects(bucket),
    control: () => new ControlContent((kind) => new ArtifactObjects(bucket, kind)),
    outputs: () => unnamedOutputs,
    ready: () => async () => {
      await records.ready();
      await bucket.check();
    },
  });
}
