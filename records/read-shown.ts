import { shownText } from '../plan/people/shown-text';
import { ThermidorFailure } from '../plan/run/failure';
import { openText } from '../plan/text/visible-text';
import type { ArtifactStore } from './artifact-store';

/** What a gate shows in addition to its question. Undefined if another host's store has it. Secrets were masked when it was rendered. */
export async function readShown(
  artifacts: Pick<ArtifactStore, 'get'>,
  { shownSha256, question }: { shownSha256: string; question: string },
): Promise<string | undefined> {
  try {
    const content = (await artifacts.get({ sha256: shownSha256 })).toString('utf8');
    return openText(shownText(content, question));
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
    throw error;
  }
}
