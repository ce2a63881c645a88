import { bug } from '../../plan/run/failure';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { openKindState } from '../../workflows/interpreter/state/kind-state';
import { SINGLE_ROLE } from './model';
import type { CoordinatorState } from './rules/coordinator-state';
import type { CoordinatorEvent } from './rules/events';
import { handle, newCoordinator } from './rules/machine';
import { JUDGES } from './rules/words';
import type { BriefKept } from './state';

/** The step of a brief, for its code: what is kept of it, and how it changes. */
export interface BriefTeam {
  it: Interpreter;
  place: PlaceOf<'brief'>;
}

function keptOf({ it, place }: BriefTeam): BriefKept {
  return openKindState(it.run.record(place.path), 'brief');
}

export function stateOf(team: BriefTeam): CoordinatorState {
  const { coordinator } = keptOf(team);
  if (!coordinator) throw bug(`${team.it.run.name(team.place.path)} has no coordinator yet`);
  return coordinator;
}

/** A further try, and a rerun, go on where the one before has got to. A rerun of a brief that is over begins anew. */
export function open(team: BriefTeam): null {
  const { it, place } = team;
  const kept = keptOf(team);
  const isRerun = kept.coordinator?.over !== undefined && it.run.record(place.path).try === 1;
  if (kept.coordinator && !isRerun) return null;
  delete kept.log;
  const { roles, mode, retries, until } = place.step;
  const ids = roles.map(({ id }) => id);
  kept.coordinator = newCoordinator({
    isGated: mode === 'gated',
    judges: JUDGES.filter((judge) => ids.includes(judge)),
    retries,
    ...(ids.includes(SINGLE_ROLE) ? { isSingle: true } : {}),
    ...(until === 'plan' ? { isPlanOnly: true } : {}),
  });
  it.run.journal.add({ kind: 'brief', step: it.run.name(place.path), event: 'entered', state: 'init', phase: 0 });
  it.changed();
  return null;
}

/** Synchronous: the machine, the journal and what people see are one step. */
export function enter(team: BriefTeam, event: CoordinatorEvent): null {
  const { it, place } = team;
  const kept = keptOf(team);
  const notes = handle(stateOf(team), event);
  if (event.kind !== 'go') kept.log = [...(kept.log ?? []), event];
  for (const note of notes) it.run.journal.add({ kind: 'brief', step: it.run.name(place.path), ...note });
  it.changed();
  return null;
}
