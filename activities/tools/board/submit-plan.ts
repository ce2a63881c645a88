import { LEAD, PLAN_REQUEST } from '../../../plan/board/message';
import { isArtifactRef } from '../../../plan/run/artifact';
import { isJsonObject } from '../../../plan/text/json';
import { boardOf, memberTool, messageContent, requestIdOf, saidAnswer } from './of-member';
import { trimmedText } from './task-arguments';

export const SUBMIT_PLAN = memberTool({
  description: 'Submits what you are about to do, and waits until the lead, or a person, has approved or rejected it.',
  required: ['plan'],
  properties: { plan: { type: 'string', description: 'at most 64 KiB' } },
  async call(args, use) {
    const { me, decide } = boardOf(use);
    const requestId = requestIdOf(use, PLAN_REQUEST);
    const content = await messageContent(use, 'plan', trimmedText(args, 'plan'));
    const at = new Date((use.toolbox.nowMs ?? Date.now)()).toISOString();
    const answer = await decide({
      kind: 'submit_plan',
      message: { id: requestId, type: 'plan_approval', from: me.name, to: LEAD, at, requestId, ...content },
    });
    const { whole, ...said } = isJsonObject(answer.said) ? answer.said : {};
    if (!isArtifactRef(whole)) return saidAnswer(answer);
    const feedback = (await use.toolbox.artifacts.get(whole)).toString('utf8');
    return saidAnswer({ ...answer, said: { ...said, feedback } });
  },
});
