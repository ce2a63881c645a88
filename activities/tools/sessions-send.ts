import { field } from '../../plan/json';
import { SEND_TURNS } from '../../plan/spawn';
import { refused, type Tool } from './tool';

/** protocol.md point 2: synchronous, for independent agents alone, with an end. */
export const SESSIONS_SEND: Tool = {
  description: ({ agents }) =>
    'Asks another agent and waits for its answer. It remembers what you have said to each other in this task, and nothing else of it. ' +
    `At most ${SEND_TURNS} times an agent. Agents: ${agents.join(', ')}.`,
  parameters: {
    type: 'object',
    required: ['agent', 'message', 'timeoutSeconds'],
    additionalProperties: false,
    properties: {
      agent: { type: 'string' },
      message: { type: 'string', minLength: 1, maxLength: 16_000 },
      timeoutSeconds: { type: 'integer', minimum: 1, maximum: 3600 },
    },
  },
  barred: ({ depth }) => (depth === 0 ? undefined : 'only an independent agent sends; a child answers its parent alone'),
  call: (args, { sessions }) => {
    const [agent, message, timeoutSeconds] = ['agent', 'message', 'timeoutSeconds'].map((name) => field(args, name));
    if (typeof agent !== 'string' || typeof message !== 'string' || typeof timeoutSeconds !== 'number')
      return Promise.resolve(refused('agent and message must be texts, timeoutSeconds a number'));
    return sessions.send({ agent, message, timeoutSeconds });
  },
};
