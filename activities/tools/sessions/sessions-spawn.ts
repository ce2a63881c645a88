import { defined } from '../../../plan/defined';
import { field } from '../../../plan/text/json';
import { SCHEMA_PARAMETER } from '../asked-schema';
import { type CallingAgent, refused, type Tool } from '../tool';

/** protocol.md points 1 and 3: answers with an id at once; the child works beside its parent, which gets its result. */
export const SESSIONS_SPAWN: Tool = {
  description: ({ spawns }) =>
    'Gives a task to another agent, which works on it alone and does not know this conversation: the task must say all it needs. ' +
    'Answers at once with an id; the child begins while you go on, and you get its result when it ends. If you have nothing else to do, end your turn. For a question about an earlier result, spawn ' +
    `again with its id as "previous". Agents: ${spawns.join(', ')}.`,
  parameters: {
    type: 'object',
    required: ['agent', 'task'],
    additionalProperties: false,
    properties: {
      agent: { type: 'string' },
      task: { type: 'string', minLength: 1, maxLength: 16_000 },
      previous: { type: 'string', description: 'id of an earlier child, whose result goes with the task' },
      schema: SCHEMA_PARAMETER,
    },
  },
  barred: spawnBarred,
  call: (args, { sessions }) => {
    const [agent, task, previous] = ['agent', 'task', 'previous'].map((name) => field(args, name));
    const schema = field(args, 'schema');
    if (typeof agent !== 'string' || typeof task !== 'string') return Promise.resolve(refused('agent and task must be texts'));
    return sessions.spawn({
      agent,
      task,
      ...(typeof previous === 'string' ? { previous } : {}),
      ...defined({ schema }),
    });
  },
};

/** Why an agent may not spawn, nor see to children. */
export function spawnBarred(caller: CallingAgent): string | undefined {
  const { below } = caller;
  if (below === undefined) return sessionsBarred(caller);
  return `the agents of this pipeline are those of its owner, "${below}": what is to be done goes there`;
}

/** Why an agent has no sessions of its own. */
export function sessionsBarred({ depth, maxDepth }: CallingAgent): string | undefined {
  if (depth === undefined) return 'an agent that answers a question cannot call other agents';
  if (depth < maxDepth) return undefined;
  return `you are a child at depth ${depth}, and this pipeline lets none there spawn (limits.depth is ${maxDepth}): give your answer to your parent`;
}
