import type { AttemptScope } from './agent-session';

/**
 * Makes the run look for spawned children, and for messages and requests of a member. If it cannot be reached it looks when the call pauses
 * or ends. Returns whether it was woken.
 */
export async function wakeRun({ toolbox, call }: Pick<AttemptScope, 'toolbox' | 'call'>): Promise<boolean> {
  try {
    await call.wake?.();
    return call.wake !== undefined;
  } catch (error) {
    toolbox.log('warn', 'the run could not be woken for a spawned child or a message', { call: call.id, error: String(error) });
    return false;
  }
}
