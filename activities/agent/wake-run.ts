import type { AttemptScope } from './agent-session';

/** Makes the run start the spawned children. If it cannot be reached it gets them when their parent pauses, at the latest. */
export async function wakeRun({ toolbox, call }: Pick<AttemptScope, 'toolbox' | 'call'>): Promise<void> {
  try {
    await call.wake?.();
  } catch (error) {
    toolbox.log('warn', 'the run could not be woken for a spawned child', { call: call.id, error: String(error) });
  }
}
