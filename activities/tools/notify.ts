import { NOTIFY_CHARACTERS, NOTIFY_LIMIT } from '../../plan/agents/run-request';
import { refused, type Tool } from './tool';
import { requiredText, withRefusals } from './tool-arguments';

/** A message to a channel of the run. It mentions nobody, whatever it says. */
export const NOTIFY: Tool = {
  description: ({ channels }) =>
    'Sends a message to a channel that people read. It is not a conversation: there is no answer, and you continue at once. ' +
    `At most ${NOTIFY_LIMIT} times. Channels: ${channels.join(', ')}.`,
  parameters: {
    type: 'object',
    required: ['channel', 'message'],
    additionalProperties: false,
    properties: { channel: { type: 'string' }, message: { type: 'string', minLength: 1, maxLength: NOTIFY_CHARACTERS } },
  },
  always: true,
  call: withRefusals(async (args, { runRequests, caller: { channels } }) => {
    const [channel, message] = [requiredText(args, 'channel'), requiredText(args, 'message').trim()];
    if (!channels.includes(channel))
      return refused(`there is no channel "${channel}" that you can reach; there are: ${channels.join(', ')}`);
    if (message === '') return refused('"message" says nothing');
    return runRequests.ask({ kind: 'notify', channel, message }, NOTIFY_LIMIT);
  }),
};
