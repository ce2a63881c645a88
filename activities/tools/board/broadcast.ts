import { boardOf, memberTool, messageContent } from './of-member';
import { trimmedText } from './task-arguments';

export const BROADCAST = memberTool({
  description: 'Sends a message to everybody else in the team.',
  required: ['content'],
  properties: { content: { type: 'string', description: 'at most 64 KiB' } },
  call: async (args, use) =>
    boardOf(use).send({ type: 'broadcast', ...(await messageContent(use, 'content', trimmedText(args, 'content'))) }),
});
