import { decided, memberTool, TASK_ID } from './of-member';
import { taskArgument } from './task-arguments';

export const CLAIM_TASK = memberTool({
  description:
    'Claims a task of the board for you. If you cannot have it, the answer says who has it, what blocks it, or which role it takes.',
  required: ['task_id'],
  properties: { task_id: TASK_ID },
  call: async (args, use) => await decided(use, { kind: 'claim_task', task: taskArgument(args) }),
});
