import { LEAD, PLAN_REQUEST } from '../../../plan/board/message';
import { contentDigest } from '../../gates/content-digest';
import { boardOf, decided, memberTool, messageContent } from './of-member';
import { trimmedText } from './task-arguments';

/** The digits of a digest in the id of a request. */
const DIGITS = 10;

export const SUBMIT_PLAN = memberTool({
  description: 'Submits what you are about to do, and waits until the lead, or a person, has approved or rejected it.',
  required: ['plan'],
  properties: { plan: { type: 'string', description: 'at most 64 KiB' } },
  async call(args, use) {
    const { me } = boardOf(use);
    const requestId = `${PLAN_REQUEST}${contentDigest(use.idempotencyKey).sha256.slice(0, DIGITS)}`;
    const content = await messageContent(use, 'plan', trimmedText(args, 'plan'));
    const at = new Date((use.toolbox.nowMs ?? Date.now)()).toISOString();
    return await decided(use, {
      kind: 'submit_plan',
      message: { id: requestId, type: 'plan_approval', from: me.name, to: LEAD, at, requestId, ...content },
    });
  },
});
