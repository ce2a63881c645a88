import type { InterpreterState, SwarmTurn } from '../state/state';
import { isWithin, type Place } from './place';

/** Which swarm is at work in a run, and what it delays. A swarm that has ended delays nothing. */
export function swarmAtWork({ swarm, records }: Pick<InterpreterState, 'swarm' | 'records'>): SwarmTurn | undefined {
  const record = swarm && records[swarm.path];
  return record?.state === 'running' && record.round === swarm?.round ? swarm : undefined;
}

/** The swarm during which nothing starts except within it. */
export function pausedFor(state: Pick<InterpreterState, 'swarm' | 'records'>, { path }: Pick<Place, 'path'>): SwarmTurn | undefined {
  const swarm = swarmAtWork(state);
  return swarm?.pausesOthers && path !== swarm.path && !isWithin(path, swarm.path) ? swarm : undefined;
}
