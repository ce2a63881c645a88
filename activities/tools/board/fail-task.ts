import { defined } from '../../../plan/defined';
import { beginning, decided, memberTool, TASK_ID } from './of-member';
import { optionalTask, trimmedText } from './task-arguments';

export const FAIL_TASK = memberTool({
  description:
    'Gives a task of yours back to the board, because you cannot do it: another member tries it, and knows why. Without task_id it is the one task that you are at work on.',
  required: ['reason'],
  properties: { task_id: TASK_ID, reason: { type: 'string', description: 'why it cannot be done' } },
  async call(args, use) {
    const { text: reason, ...whole } = await beginning(use, 'reason', trimmedText(args, 'reason'));
    return await decided(use, { kind: 'fail_task', reason, ...whole, ...defined({ task: optionalTask(args) }) });
  },
});
