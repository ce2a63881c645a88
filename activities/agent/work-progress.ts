import { defined } from '../../plan/defined';
import { type Turn, turnUnderWay } from '../../records/transcripts/turn';
import type { Progress } from '../activity-call';
import type { WorkHead } from '../ports';

/**
 * How far an agent is, for its heartbeats: the turn in progress, its position, and the commit that its folder is at. The commit is looked
 * up beside the heartbeat, never before it, and only after something was said or done: nothing an agent does delays a heartbeat.
 *
 * @param folder of the step, where it names one: a folder of the step's own is nobody's work tree
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
