import type { InterpreterState } from './state';

/** Whether a run began with this version or a later one (`RUN_VERSION` lists the changes): an earlier one behaves as it began. */
export function beganWith({ state }: { state: Pick<InterpreterState, 'version'> }, version: number): boolean {
  return state.version >= version;
}
