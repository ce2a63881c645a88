import type { AttemptScope } from './agent-session';

/** Makes the run look for spawned children, and for messages of a member. If it cannot be reached it looks when the call pauses or ends. */
export async function wakeRun({ toolbox, call }: Pick<AttemptScope, 'toolbox' | 'call'>): Promise<void> {
  try {
    await call.wake?.();
  } catch (error) {
    toolbox.log('warn', 'the run could not be woken for a spawned child or a message', { call: call.id, error: String(error) });
  }
}
