import type { InterpreterState } from './state';

/** Turns of the step at a path that have left records, the first first. */
export function turnsOf({ records }: Pick<InterpreterState, 'records'>, path: string): number[] {
  const turns = Object.keys(records).flatMap((other) =>
    other.startsWith(`${path}[`) ? [Number.parseInt(other.slice(path.length + 1), 10)] : [],
  );
  return [...new Set(turns)].sort((a, b) => a - b);
}
