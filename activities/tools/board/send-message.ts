import type { ListedBoard } from '../../../plan/board/board-lines';
import { LEAD } from '../../../plan/board/message';
import { ToolRefusal } from '../../tool-ports';
import type { ToolUse } from '../tool';
import { listedBoard } from './listed-board';
import { boardOf, memberTool, messageContent } from './of-member';
import { trimmedText } from './task-arguments';

export const SEND_MESSAGE = memberTool({
  description: 'Sends a message to a member of the team, or to "lead". It does not wait for an answer, which comes into your inbox.',
  required: ['to', 'content'],
  properties: { to: { type: 'string' }, content: { type: 'string', description: 'at most 64 KiB' } },
  async call(args, use) {
    const to = trimmedText(args, 'to');
    const content = await messageContent(use, 'content', trimmedText(args, 'content'));
    await requireThere(use, to);
    return boardOf(use).send({ type: 'message', to, ...content });
  },
});

/** Refuses a name that nobody has who could read a message. Somebody may have come since the work began: then the board is asked. */
export async function requireThere(use: ToolUse, to: string): Promise<void> {
  const { me } = boardOf(use);
  if (to === me.name) throw new ToolRefusal('that is you: write to somebody else');
  if (to === LEAD || me.others.some(({ name, status }) => name === to && lives(status))) return;
  const { members } = await listedBoard(use);
  const member = members.find(({ name }) => name === to);
  if (member && lives(member.status)) return;
  const there = members.filter(({ name, status }) => name !== me.name && lives(status)).map(({ name }) => name);
  const others = there.length === 0 ? 'nobody else is there' : `there are: ${there.join(', ')}`;
  const gone = member?.status === 'failed' ? 'has failed' : 'has shut down';
  throw new ToolRefusal(member ? `${to} ${gone}; ${others}` : `nobody in the team is called "${to}"; ${others}`);
}

function lives(status: ListedBoard['members'][number]['status']): boolean {
  return status === 'working' || status === 'idle';
}
