import { field } from '../../../plan/text/json';
import { PAGE_PARAMETERS, pageOf } from '../files/page';
import { refused, type Tool } from '../tool';
import { numberArgument } from '../tool-arguments';
import { sessionsBarred } from './sessions-spawn';

/** The messages of a session of this agent's own. */
export const SESSIONS_HISTORY: Tool = {
  description:
    'Shows what was said by a child that you have spawned, or in a talk of yours, by its id. Long ones come page by page: a note at ' +
    'the end says where to continue.',
  parameters: {
    type: 'object',
    required: ['id'],
    additionalProperties: false,
    properties: { id: { type: 'string' }, ...PAGE_PARAMETERS },
  },
  barred: sessionsBarred,
  async call(args, { sessions }) {
    const id = field(args, 'id');
    const turns = typeof id === 'string' ? await sessions.history(id) : undefined;
    if (turns)
      return { text: pageOf(JSON.stringify(turns), { offset: numberArgument(args, 'offset'), limit: numberArgument(args, 'limit') }) };
    const known = (await sessions.list()).map((session) => session.id);
    return refused(`you have no session "${id}"; yours are: ${known.join(', ') || 'none'}`);
  },
};
