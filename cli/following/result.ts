import { isArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { RunView } from '../../plan/run/status';
import { shellWord } from '../../plan/text/shell-word';
import type { Spelled } from '../../plan/text/spelled-json';
import type { RenderedResult } from '../rendering/result';
import { pathOfStep } from '../rendering/step-tree';
import { bytes } from '../rendering/text/usage';
import type { ShownContent } from '../session/shown-content';

/** More is not read to show its beginning. */
const READ_LIMIT_BYTES = 1024 * 1024;

/** The output of a run: its `output`, or the last step's. Undefined if there is none, or if it is in another host's store. */
export async function followedResult(
  view: RunView,
  output: Spelled | undefined,
  content: Pick<ShownContent, 'read'>,
  flags: string,
): Promise<(RenderedResult & { step?: string }) | undefined> {
  if (output === undefined || output === null) return undefined;
  const line = (text: string): string => `thermidor ${text}${flags}`;
  if (!isArtifactRef(output)) return { value: output, whole: line(`status ${shellWord(view.run)} --json`) };
  const made = view.steps.findLast(({ artifact }) => artifact?.sha256 === output.sha256 && artifact.name === output.name);
  try {
    const value = output.sizeBytes > READ_LIMIT_BYTES ? bytes(output.sizeBytes) : await content.read(output);
    if (made === undefined) return { value, whole: line(`status ${shellWord(view.run)} --json`) };
    const step = pathOfStep(made);
    return { value, step, whole: line(`show ${shellWord(view.run)} ${shellWord(step)}`) };
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
    throw error;
  }
}
