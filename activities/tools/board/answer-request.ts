import { LEAD, PLAN_REQUEST } from '../../../plan/board/message';
import { field } from '../../../plan/text/json';
import { refused } from '../tool';
import { boardOf, memberTool, messageContent } from './of-member';
import { trimmedOrNone, trimmedText } from './task-arguments';

export const ANSWER_REQUEST = memberTool({
  description: 'Answers a request by its request_id: one to shut down, or, if you lead, a plan that a member has submitted.',
  required: ['request_id', 'approve'],
  properties: { request_id: { type: 'string' }, approve: { type: 'boolean' }, reason: { type: 'string' } },
  async call(args, use) {
    const board = boardOf(use);
    const requestId = trimmedText(args, 'request_id');
    const isPlan = requestId.startsWith(PLAN_REQUEST);
    if (isPlan && !board.me.isLead) return refused('only the lead answers plans');
    return board.send({
      type: isPlan ? 'plan_approval_response' : 'shutdown_response',
      // The board knows who has asked.
      to: LEAD,
      ...{ requestId, approved: field(args, 'approve') === true },
      ...(await messageContent(use, 'reason', trimmedOrNone(args, 'reason') ?? '')),
    });
  },
});
