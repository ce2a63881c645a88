import type { BoardState } from '../../plan/board/board-state';
import type { SignalPayload } from '../../plan/run/signal';
import { isSettled } from '../../plan/run/step-state';
import type { NotApplied } from '../../workflows/interpreter/inbound/planned-command';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { Place, PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { kindStateOf } from '../../workflows/interpreter/state/kind-state';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { hasBoard } from '../questions';
import type { Board } from './board';
import type { BoardKept } from './state';

/** A board that is open, with what it is now. */
export interface OpenBoard extends Board {
  state: BoardState;
}

export function openBoards(it: Interpreter): OpenBoard[] {
  return boardPlaces(it).flatMap((place) => {
    const record = it.run.state.records[place.path];
    const kept = record && !isSettled(record.state) ? kindStateOf(record, 'board') : undefined;
    const state = kept?.isOpening ? undefined : kept?.board;
    return state && state.over === undefined ? [{ it, place, state }] : [];
  });
}

/** The board that a message is for: the only one that is open, or the one that it names. */
export function boardFor(it: Interpreter, named: SignalPayload['step']): OpenBoard | NotApplied {
  const boards = openBoards(it);
  const list = boards.map(({ place }) => it.run.name(place.path)).join(', ') || 'none';
  const fits = named === undefined ? boards : boards.filter(({ place }) => isCalled(place.path, named));
  const [only, another] = fits;
  if (only && !another) return only;
  if (only) return { outcome: 'misdirected', reason: `several boards are open, name the step of one: ${list}` };
  const none = whyNone(it, named);
  if (boards.length === 0 || none.outcome === 'early') return none;
  return { outcome: 'misdirected', reason: `no board is open in "${named}"; open: ${list}` };
}

function whyNone({ run }: Interpreter, named: string | undefined): NotApplied {
  const steps = [...run.steps.values()].flatMap(({ step }) => (hasBoard(step) ? [step.id] : []));
  if (steps.length === 0) return { outcome: 'misdirected', reason: 'this run has no board' };
  const asked = steps.filter((id) => named === undefined || isCalled(id, named));
  const records = Object.entries(run.state.records).filter(([path]) => asked.some((id) => path === id || path.endsWith(`/${id}`)));
  // Whether the step of a board that is over is tried again is not known yet.
  const isOver = ({ board, isOpening }: BoardKept): boolean => board?.over !== undefined && !isOpening;
  const isPast = (record: StepRecord): boolean => isSettled(record.state) || isOver(kindStateOf(record, 'board') ?? {});
  if (asked.length > 0 && !records.some(([, record]) => isPast(record)))
    return { outcome: 'early', reason: `the board of ${asked.join(', ')} is not open yet` };
  return { outcome: 'late', reason: `no board is open any more: ${steps.join(', ')}` };
}

/** As for other steps: by its path or the end of it, whatever the round. */
function isCalled(path: string, named: string): boolean {
  const asked = named.replace(/[#~]\d+/g, '');
  return path === asked || path.endsWith(`/${asked}`);
}

function boardPlaces({ frames }: Interpreter): PlaceOf<'board'>[] {
  return [...frames.keys()].flatMap(({ closed, places }) => (closed ? [] : places.filter(isBoard)));
}

function isBoard(place: Place): place is PlaceOf<'board'> {
  return hasBoard(place.step);
}
