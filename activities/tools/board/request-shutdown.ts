import { answer } from '../tool';
import { boardOf, leadTool, messageContent, requestIdOf } from './of-member';
import { requireThere } from './send-message';
import { trimmedOrNone, trimmedText } from './task-arguments';

export const REQUEST_SHUTDOWN = leadTool({
  description: 'Asks a member to shut down. It answers in your inbox; a member that does not answer in time is shut down.',
  required: ['name'],
  properties: { name: { type: 'string' }, reason: { type: 'string' } },
  async call(args, use) {
    const to = trimmedText(args, 'name');
    const content = await messageContent(use, 'reason', trimmedOrNone(args, 'reason') ?? 'Please shut down.');
    await requireThere(use, to);
    const requestId = requestIdOf(use, 'shutdown-');
    const sent = boardOf(use).send({ type: 'shutdown_request', to, requestId, ...content });
    return sent.refused ? sent : { ...sent, ...answer({ status: 'sent', request_id: requestId }) };
  },
});
