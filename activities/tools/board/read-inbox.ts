import type { BoardMessage } from '../../../plan/board/message';
import { inboxText } from '../../../plan/board/work-text';
import type { ToolUse } from '../tool';
import { boardOf, memberTool } from './of-member';

export const READ_INBOX = memberTool({
  description: 'Reads the messages that have come for you and that you have not read.',
  async call(_, use) {
    const messages = await boardOf(use).inbox();
    if (messages.length === 0) return { text: 'Your inbox is empty.' };
    return { text: inboxText(await Promise.all(messages.map((message) => whole(use, message)))) };
  },
});

async function whole({ toolbox }: ToolUse, message: BoardMessage): Promise<BoardMessage> {
  return message.whole ? { ...message, content: (await toolbox.artifacts.get(message.whole)).toString('utf8') } : message;
}
