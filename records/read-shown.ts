import { shownText } from '../plan/people/shown-text';
import { ThermidorFailure } from '../plan/run/failure';
import { visibleText } from '../plan/text/visible-text';
import type { ArtifactStore } from './artifact-store';

/** Replaces a character that nobody would see: a text that somebody approves hides nothing. */
const UNSEEN_MARK = '\ufffd';

/** What a gate shows in addition to its question. Undefined if another host's store has it. Secrets were masked when it was rendered. */
export async function readShown(
  artifacts: Pick<ArtifactStore, 'get'>,
  { shownSha256, question }: { shownSha256: string; question: string },
): Promise<string | undefined> {
  try {
    const content = (await artifacts.get({ sha256: shownSha256 })).toString('utf8');
    return visibleText(shownText(content, question), UNSEEN_MARK);
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
    throw error;
  }
}
