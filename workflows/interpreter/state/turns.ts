import type { RunRecords } from './run-records';
import type { InterpreterState } from './state';

/** Turns of the step at a path that have left records, the first first. */
export function turnsOf(
  { index, state }: Pick<RunRecords, 'index'> & { state: Pick<InterpreterState, 'records'> },
  path: string,
): number[] {
  const turns = index
    .within(state.records, path)
    .flatMap(([other]) => (other[path.length] === '[' ? [Number.parseInt(other.slice(path.length + 1), 10)] : []));
  return [...new Set(turns)].sort((a, b) => a - b);
}
