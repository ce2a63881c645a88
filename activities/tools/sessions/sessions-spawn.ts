import { defined } from '../../../plan/defined';
import { field } from '../../../plan/text/json';
import { SCHEMA_PARAMETER } from '../asked-schema';
import { type CallingAgent, refused, type Tool } from '../tool';
import { textArgument } from '../tool-arguments';
import { MESSAGE_FORM, MESSAGE_PARAMETER, messageOf } from './message';

/** Starts a child and returns its id at once; the child works in parallel to its parent, which gets its result (docs/protocol.md, 4.2). */
export const SESSIONS_SPAWN: Tool = {
  description: ({ spawns }) =>
    'Gives a task to another agent, which works on it alone and does not know this conversation: the task must say all it needs. ' +
    'Answers at once with an id; the child begins while you go on, and you get its result when it ends. If you have nothing else to do, end your turn. For a question about a report, ' +
    `spawn the agent that has delivered it again, with "previous", "missing_fields" and the question as "task". Agents: ${spawns.join(', ')}.`,
  parameters: {
    type: 'object',
    required: ['agent', 'task'],
    additionalProperties: false,
    properties: {
      agent: { type: 'string' },
      task: MESSAGE_PARAMETER,
      previous: {
        type: 'string',
        description:
          'the report that the task is about: the step that has delivered it, its name such as Report.json, its address, or the id of an earlier child',
      },
      missing_fields: {
        type: 'array',
        maxItems: 50,
        items: { type: 'string', pattern: '\\S', maxLength: 300 },
        description: 'with "previous": the fields that it lacks, by their paths, such as key_levels[].evidence',
      },
      schema: SCHEMA_PARAMETER,
    },
  },
  barred: spawnBarred,
  call: (args, { sessions }) => {
    const [agent, previous] = ['agent', 'previous'].map((name) => textArgument(args, name));
    const task = messageOf(field(args, 'task'));
    const [schema, missing] = [field(args, 'schema'), field(args, 'missing_fields')];
    if (agent === undefined || task === undefined) return Promise.resolve(refused(`agent must be text, and task ${MESSAGE_FORM}`));
    const missingFields = Array.isArray(missing) ? missing.filter((one) => typeof one === 'string') : undefined;
    return sessions.spawn({ agent, task, ...defined({ previous, missingFields, schema }) });
  },
};

/** Why an agent may not spawn, nor see to children. */
export function spawnBarred(caller: CallingAgent): string | undefined {
  const { below } = caller;
  if (below === undefined) return sessionsBarred(caller);
  return `the agents of this pipeline work for its owner, "${below}": give the task to that agent`;
}

/** Why an agent has no sessions of its own. */
export function sessionsBarred({ depth, maxDepth }: CallingAgent): string | undefined {
  if (depth === undefined) return 'an agent that answers a question cannot call other agents';
  if (depth < maxDepth) return undefined;
  return `you are a child at depth ${depth}, and this pipeline lets no agent there spawn (limits.depth is ${maxDepth}): give your answer to your parent`;
}
