import { MEMBER_NAME, MEMBER_NAME_RULE } from '../../../plan/board/member';
import { LEAD } from '../../../plan/board/message';
import { defined, ifDefined } from '../../../plan/defined';
import { refused } from '../tool';
import { decided, leadTool, storedText } from './of-member';
import { trimmedOrNone, trimmedText } from './task-arguments';

export const SPAWN_TEAMMATE = leadTool({
  description: ({ member }) =>
    'Starts a member of the team, or one that is idle, has shut down or failed again, with its context. ' +
    `It claims tasks from the board by itself. Agents: ${member?.spawns?.join(', ') || 'none, but each member can start again as its own'}.`,
  required: ['name'],
  properties: {
    name: { type: 'string', description: 'up to 40 letters, digits, ".", "_" and "-"' },
    agent: { type: 'string', description: 'the agent that it runs as; needed for a new member if you may spawn several' },
    role: { type: 'string', description: 'it may claim tasks that require this role' },
    prompt: { type: 'string', description: 'its first instructions; without them, it begins with the board' },
  },
  async call(args, use) {
    const name = trimmedText(args, 'name');
    if (!MEMBER_NAME.test(name) || name === LEAD) return refused(MEMBER_NAME_RULE);
    const prompt = await ifDefined(trimmedOrNone(args, 'prompt'), (text) => storedText(use, 'prompt', text));
    return await decided(use, {
      ...{ kind: 'spawn_teammate', name },
      ...defined({ agent: trimmedOrNone(args, 'agent'), role: trimmedOrNone(args, 'role'), prompt }),
    });
  },
});
