import type { KeepTextsInput, KeptText } from '../../plan/board/board-activities';
import type { ActivityCall } from '../activity-call';
import { asManyAsFit } from '../as-many-as-fit';
import { loadRun } from '../run/load-run';
import { runSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';

/** Stores what somebody has sent to a board, masked, in order: as much of it as there is time for. Repeating it is harmless. */
export async function keepTexts(toolbox: Toolbox, { key }: ActivityCall, { texts }: KeepTextsInput): Promise<KeptText[]> {
  const secrets = await runSecrets(toolbox, await loadRun(toolbox, key));
  return await asManyAsFit<KeepTextsInput['texts'][number], KeptText>(
    texts,
    async ({ as, text }) => ({
      text: await toolbox.artifacts.put(secrets.mask(text), { mediaType: 'text/plain', name: `${as}.md` }),
    }),
    (problem) => ({ problem }),
  );
}
