import type { Progress } from './call';
import type { WorkHead } from './ports';

/**
 * How far an agent is, for its heartbeats: the turns that stand, where, and the commit that its folder is at. The commit is looked up
 * beside the heartbeat, never before it, and only after something was said: nothing an agent does delays a heartbeat.
 *
 * @param folder of the step, where it names one: a folder of the step's own is nobody's work tree
 */
export function workProgress(transcript: string, turns: () => number, head?: WorkHead, folder?: () => Promise<string>): () => Progress {
  let seen = -1;
  let commit: string | undefined;
  async function look(): Promise<void> {
    if (head && folder) commit = await head(await folder());
  }
  return () => {
    const turn = turns();
    // Whoever works there is told what is wrong with the folder.
    if (turn !== seen) look().catch(() => undefined);
    seen = turn;
    return { turn, transcript, ...(commit === undefined ? {} : { commit }) };
  };
}
