import { answer } from '../tool';
import { memberTool } from './of-member';

/** Ends the work: no further reply is requested. */
export const IDLE = memberTool({
  description:
    'Ends your turn, because you have nothing left to do. You are woken by a message, or by a task that you may claim. Complete your task, or fail it, before.',
  call: async () => ({ ...answer({ status: 'idle' }), effect: { ends: 'idle' } }),
});
