import { isArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { RunView } from '../../plan/run/status';
import type { Json } from '../../plan/text/json';
import { shellWord } from '../../plan/text/shell-word';
import type { ArtifactStore } from '../../records/artifact-store';
import { readSpelledContent } from '../../records/read-content';
import type { RenderedResult } from '../rendering/result';
import { pathOfStep } from '../rendering/step-tree';
import { bytes } from '../rendering/text/usage';

/** More is not read to show its beginning. */
const READ_LIMIT_BYTES = 1024 * 1024;

/** The output of a run: its `output`, or the last step's. Undefined where that is nothing, or is in another host's store. */
export async function followedResult(
  view: RunView,
  output: Json | undefined,
  store: ArtifactStore,
  flags: string,
): Promise<(RenderedResult & { step?: string }) | undefined> {
  if (output === undefined || output === null) return undefined;
  const line = (text: string): string => `thermidor ${text}${flags}`;
  if (!isArtifactRef(output)) return { value: output, whole: line(`status ${shellWord(view.run)} --json`) };
  const made = view.steps.findLast(({ artifact }) => artifact?.sha256 === output.sha256 && artifact.name === output.name);
  try {
    const value = output.sizeBytes > READ_LIMIT_BYTES ? bytes(output.sizeBytes) : await readSpelledContent(store, output);
    if (made === undefined) return { value, whole: line(`status ${shellWord(view.run)} --json`) };
    const step = pathOfStep(made);
    return { value, step, whole: line(`show ${shellWord(view.run)} ${shellWord(step)}`) };
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
    throw error;
  }
}
