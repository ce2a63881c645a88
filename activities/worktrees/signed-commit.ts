import type { ActivityCall } from '../activity-call';
import type { Signature } from '../git-model';
import type { Toolbox } from '../toolbox';

const AUTHOR = { name: 'Thermidor', email: 'thermidor@localhost' } as const;

/** What the engine commits for a step, with the run that it is of. */
export function signedCommit(
  { nowMs = Date.now }: Pick<Toolbox, 'nowMs'>,
  { key }: Pick<ActivityCall, 'key'>,
  subject: string,
): { message: string; signature: Signature } {
  return { message: `${subject}\n\nThermidor-Run: ${key.workflowId}\n`, signature: { ...AUTHOR, atMs: nowMs() } };
}
