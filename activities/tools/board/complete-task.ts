import { defined, ifDefined } from '../../../plan/defined';
import { beginning, decided, memberTool, TASK_ID } from './of-member';
import { optionalTask, trimmedOrNone } from './task-arguments';

export const COMPLETE_TASK = memberTool({
  description:
    'Completes a task of yours: the tasks that it blocks become free. Without task_id it is the one task that you are at work on.',
  properties: { task_id: TASK_ID, result: { type: 'string', description: 'what has come of it, at most 64 KiB' } },
  async call(args, use) {
    const result = await ifDefined(trimmedOrNone(args, 'result'), (text) => beginning(use, 'result', text));
    return await decided(use, { kind: 'complete_task', ...defined({ task: optionalTask(args), result }) });
  },
});
