import type { ArtifactRef } from '../../plan/run/artifact';
import type { ArtifactStore } from '../../records/artifact-store';
import { storedValue } from '../stored/stored-values';

/** The text behind a task or a message. What the run itself has stored, such as why a task did not land, is a text as JSON. */
export async function wholeText(artifacts: ArtifactStore, ref: ArtifactRef): Promise<string> {
  const { text, value } = await storedValue(artifacts, ref);
  return typeof value === 'string' ? value : text;
}
