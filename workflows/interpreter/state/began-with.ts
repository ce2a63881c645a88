import type { Run } from '../run';

/** Whether a run began with this version or a later one (`RUN_VERSION` has what each has brought): an earlier one does as it began. */
export function beganWith({ state }: Pick<Run, 'state'>, version: number): boolean {
  return (state.version ?? 1) >= version;
}
