import { inboxText } from '../../../plan/board/work-text';
import { boardOf, memberTool } from './of-member';

export const READ_INBOX = memberTool({
  description: 'Reads the messages that have come for you and that you have not read.',
  async call(_, use) {
    const messages = await boardOf(use).inbox();
    return { text: messages.length === 0 ? 'Your inbox is empty.' : inboxText(messages) };
  },
});
