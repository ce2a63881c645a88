import { isWithin } from '../../../plan/steps/address';
import type { ExclusiveTurn, InterpreterState } from '../state/state';
import type { Place } from './place';

/** Which step has the run's exclusive turn, and what it holds up. A step that has ended holds up nothing. */
export function exclusiveTurn({ exclusive, records }: Pick<InterpreterState, 'exclusive' | 'records'>): ExclusiveTurn | undefined {
  const record = exclusive && records[exclusive.path];
  return record?.state === 'running' && record.round === exclusive?.round ? exclusive : undefined;
}

/** The turn during which nothing starts except within its step. */
export function pausedFor(
  state: Pick<InterpreterState, 'exclusive' | 'records'>,
  { path }: Pick<Place, 'path'>,
): ExclusiveTurn | undefined {
  const turn = exclusiveTurn(state);
  return turn?.pausesOthers && path !== turn.path && !isWithin(path, turn.path) ? turn : undefined;
}
