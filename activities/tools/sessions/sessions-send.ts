import { SEND_SECONDS, SEND_TURNS } from '../../../plan/agents/spawned-agent';
import { defined } from '../../../plan/defined';
import { field } from '../../../plan/text/json';
import { SCHEMA_PARAMETER } from '../asked-schema';
import { refused, type Tool } from '../tool';
import { numberArgument, textArgument } from '../tool-arguments';
import { MESSAGE_FORM, MESSAGE_PARAMETER, messageOf } from './message';

/** Talks to an agent: synchronous, for independent agents alone, with an end (docs/protocol.md, 4.2). */
export const SESSIONS_SEND: Tool = {
  description: ({ sendsTo }) =>
    'Asks another agent and waits for its answer, which is JSON. It remembers all that it was asked in this run, and does not see your task. ' +
    `Without "timeoutSeconds" it has ${SEND_SECONDS} s. ` +
    `At most ${SEND_TURNS} times per agent. Agents: ${sendsTo.join(', ')}.`,
  parameters: {
    type: 'object',
    required: ['agent', 'message'],
    additionalProperties: false,
    properties: {
      agent: { type: 'string' },
      message: MESSAGE_PARAMETER,
      timeoutSeconds: { type: 'integer', minimum: 1, maximum: 3600, default: SEND_SECONDS },
      schema: SCHEMA_PARAMETER,
    },
  },
  barred: ({ depth, sendsTo }) => {
    if (depth !== 0) return 'only an independent agent sends; a child only answers its parent';
    return sendsTo.length > 0 ? undefined : 'no other agent of this run is independent, and a child only answers its parent';
  },
  call: (args, { sessions }) => {
    const [agent, timeoutSeconds] = [textArgument(args, 'agent'), numberArgument(args, 'timeoutSeconds')];
    const [message, schema] = [messageOf(field(args, 'message')), field(args, 'schema')];
    if (agent === undefined || message === undefined) return Promise.resolve(refused(`agent must be text, and message ${MESSAGE_FORM}`));
    return sessions.send({ agent, message, ...defined({ timeoutSeconds, schema }) });
  },
};
