import type { BoardWorkInput, BoardWorkOutput } from '../../plan/board/board-activities';
import type { BoardMessage } from '../../plan/board/message';
import { workText } from '../../plan/board/work-text';
import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';
import { wholeText } from './whole-text';

/**
 * Stores what a member's WORK begins with. Descriptions and long messages never travel through the run, which has their beginnings.
 * Repeating it is harmless. Fails with `artifact.missing`, `store.unavailable`, `output.too-large`.
 */
export async function boardWork({ artifacts }: Toolbox, _call: ActivityCall, input: BoardWorkInput): Promise<BoardWorkOutput> {
  const text = async (ref: ArtifactRef | undefined) => ref && (await wholeText(artifacts, ref));
  const whole = async (message: BoardMessage) => ({ ...message, content: (await text(message.whole)) ?? message.content });
  const [prompt, description, reason, messages] = await Promise.all([
    text(input.prompt),
    text(input.task?.description),
    text(input.task?.returned?.whole),
    Promise.all((input.messages ?? []).map(whole)),
  ]);
  const said = workText(input, { messages, ...defined({ prompt, description, reason }) });
  return { artifact: await artifacts.put(said, { mediaType: 'text/plain', name: `${input.as}.md` }) };
}
