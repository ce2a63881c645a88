import { join } from 'node:path';
import { ARTIFACT_LIMIT_BYTES } from '../../plan/run/artifact';
import { ControlContent } from '../control-content';
import { ContentSeal } from '../sealing/content-seal';
import { KeyRing } from '../sealing/key-ring';
import { ArtifactFiles } from './artifact-files';
import { stateLayout } from './state-layout';

/** Control content in a directory: `<root>/artifacts/<kind>/<aa>/<sha256>`. */
export class ControlFiles extends ControlContent {
  constructor(root: string, keys = new KeyRing()) {
    const { artifacts } = stateLayout(root);
    super((kind) => new ArtifactFiles(root, ARTIFACT_LIMIT_BYTES, join(artifacts, kind), new ContentSeal(keys, kind)));
  }
}
