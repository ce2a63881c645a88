import { TRACK_SIDES } from '../../kinds/tracks/rules/alignment';
import { STEP_STATE_OF_PHASE, STEP_STATE_OF_SYNC } from '../../kinds/tracks/rules/shown-tracks';
import { describePoint, type TracksView } from '../../kinds/tracks/view';
import type { StepView } from '../run/status';
import type { ControlStep } from '../steps/control';
import { depthsOf } from './depths';
import type { GraphEdge, GraphNode } from './graph-model';

/** Two tracks as they are written: phases one after the other, and each sync point behind those that it waits for. `id`: that of their step in the picture. */
export function drawTracks(step: ControlStep, id: string, view: StepView | undefined): { nodes: GraphNode[]; edges: GraphEdge[] } {
  if (!('sync' in step)) return { nodes: [], edges: [] };
  const needs = new Map<string, string[]>();
  for (const point of step.sync)
    needs.set(
      point.id,
      TRACK_SIDES.map((side) => point.after[side]),
    );
  for (const side of TRACK_SIDES) {
    for (const [i, phase] of step[side].phases.entries()) {
      const before = step[side].phases[i - 1];
      const point = step.sync.find(({ after }) => after[side] === before);
      needs.set(phase, before === undefined ? [] : [point?.id ?? before]);
    }
  }
  const depths = depthsOf(needs);
  const idOf = (name: string): string => `${id}/${name}`;
  const box = (name: string, label: string, facts: Pick<GraphNode, 'state'>): GraphNode => ({
    ...{ id: idOf(name), name, kind: 'task', label, conditional: false, depth: depths.get(name) ?? 0 },
    ...facts,
  });
  const tracks = view?.tracks;
  const phases = TRACK_SIDES.flatMap((side) =>
    step[side].phases.map((phase) => box(phase, `${side}: ${step[side].agent}`, stateOfPhase(tracks, phase))),
  );
  const points = step.sync.map(({ id: name, by, rounds }) => {
    const point = tracks?.sync.find((one) => one.id === name);
    const label = point ? describePoint(point) : `${by} checks, at most ${rounds}`;
    return box(name, label, point ? { state: STEP_STATE_OF_SYNC[point.state] } : {});
  });
  const edges = [...needs].flatMap(([to, before]) => before.map((from): GraphEdge => ({ from: idOf(from), to: idOf(to), kind: 'order' })));
  return { nodes: [...phases, ...points].sort((a, b) => a.depth - b.depth), edges };
}

function stateOfPhase(tracks: TracksView | undefined, phase: string): Pick<GraphNode, 'state'> {
  const found = TRACK_SIDES.flatMap((side) => tracks?.[side].phases ?? []).find(({ id }) => id === phase);
  return found ? { state: STEP_STATE_OF_PHASE[found.state] } : {};
}
