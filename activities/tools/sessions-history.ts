import { field } from '../../plan/json';
import { spawnBarred } from './sessions-spawn';
import { answer, refused, type Tool } from './tool';

/** What was said in a session of this agent's own. */
export const SESSIONS_HISTORY: Tool = {
  description: 'Shows what was said by a child that you have spawned, or in a talk of yours, by its id.',
  parameters: { type: 'object', required: ['id'], additionalProperties: false, properties: { id: { type: 'string' } } },
  barred: spawnBarred,
  async call(args, { sessions }) {
    const id = field(args, 'id');
    const turns = typeof id === 'string' ? await sessions.history(id) : undefined;
    if (turns) return answer(turns);
    const known = sessions.list().map((session) => session.id);
    return refused(`you have no session "${id}"; yours are: ${known.join(', ') || 'none'}`);
  },
};
