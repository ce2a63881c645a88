import { defined } from '../../plan/defined';
import { type Turn, turnUnderWay } from '../../records/transcripts/turn';
import type { Progress } from '../activity-call';
import type { WorkHead } from '../ports';

/**
 * An agent's progress, for its heartbeats: the turn in progress, its position, and the commit of its folder. The commit is read separately
 * from the heartbeat, never before it, and only after a turn or a call: nothing an agent does delays a heartbeat.
 *
 * @param folder the step's named folder: one of the step's own is no work tree
 */
export function workProgress(
  transcript: string,
  turns: () => readonly Turn[],
  head?: WorkHead,
  folder?: () => Promise<string>,
): () => Progress {
  let seen = -1;
  let commit: string | undefined;
  async function look(): Promise<void> {
    if (head && folder) commit = await head(await folder());
  }
  return () => {
    const recorded = turns();
    // The agent gets the error about the folder.
    if (recorded.length !== seen) look().catch(() => undefined);
    seen = recorded.length;
    return { turn: turnUnderWay(recorded), transcript, ...defined({ commit }) };
  };
}
