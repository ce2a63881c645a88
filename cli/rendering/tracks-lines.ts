import { TRACK_SIDES } from '../../kinds/tracks/rules/alignment';
import { rowsOfTracks, STEP_STATE_OF_PHASE, STEP_STATE_OF_SYNC } from '../../kinds/tracks/rules/shown-tracks';
import { describePoint, type PhaseState, type PhaseView, type SyncView, type TracksView } from '../../kinds/tracks/view';
import type { Colors } from '../terminal';
import { stepSymbol } from './states';
import { oneLine, pad, widthOf } from './text/printable';
import { clock } from './text/time';

/** Two tracks beside each other, a line for each phase, and the sync points across both. */
export function trackLines(view: TracksView, colors: Colors): string[] {
  const heads = TRACK_SIDES.map((side) => `${side} ${oneLine(view[side].agent)}`);
  const width = Math.max(widthOf(heads[0] ?? ''), ...view.a.phases.map((phase) => widthOf(wordsOfPhase(phase)) + 2)) + GAP;
  const beside = (a: string, b: string, shown: number): string => `${a}${' '.repeat(Math.max(0, width - shown))}${b}`.trimEnd();
  return [
    colors.dim(`${pad(heads[0] ?? '', width)}${heads[1] ?? ''}`),
    ...rowsOfTracks(view).map((row) => {
      if (row.kind === 'sync') return pointLine(view, row.point, colors);
      const [a, b] = [row.a, row.b].map((phase) => (phase ? phaseText(phase, colors) : ''));
      return beside(a ?? '', b ?? '', row.a ? widthOf(wordsOfPhase(row.a)) + 2 : 0);
    }),
  ];
}

const GAP = 4;

const WORDS: Readonly<Partial<Record<PhaseState, string>>> = { provisional: 'provisional', adjusting: 'adjusts', blocked: 'blocked' };

function wordsOfPhase({ id, state }: PhaseView): string {
  const word = WORDS[state];
  return word === undefined ? oneLine(id) : `${oneLine(id)} (${word})`;
}

function phaseText(phase: PhaseView, colors: Colors): string {
  return `${stepSymbol(STEP_STATE_OF_PHASE[phase.state], colors)} ${wordsOfPhase(phase)}`;
}

function pointLine(view: TracksView, point: SyncView, colors: Colors): string {
  const { id, name, state } = point;
  const title = name === undefined ? '' : ` ${colors.dim(oneLine(name))}`;
  return `${stepSymbol(STEP_STATE_OF_SYNC[state], colors)} ${colors.bold(`═ ${oneLine(id)}`)}${title}  ${describePoint(point)}${arrivalAt(view, point)}`;
}

/** What the track does that is there first. */
function arrivalAt(view: TracksView, { arrived, until }: SyncView): string {
  const [first, other] = arrived;
  if (first === undefined || other !== undefined) return '';
  const { agent, phases } = view[first];
  const isAhead = phases.some(({ state }) => state === 'provisional');
  return `, ${oneLine(agent)} ${isAhead ? 'goes ahead' : 'waits'}${until === undefined ? '' : ` until ${clock(until)}`}`;
}
