import { defined } from '../../plan/defined';
import { depthsOf } from '../../plan/graph/depths';
import type { Graph, GraphEdge, GraphNode } from '../../plan/graph/graph-model';
import type { StepView } from '../../plan/run/status';
import { describeActions } from '../../plan/steps/action';
import type { Description } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import { partId } from '../../plan/steps/part-id';
import type { TracksStep } from '../../plan/steps/step';
import type { StepBase } from '../../plan/steps/step-base';
import { duration } from '../../plan/text/duration';
import { INTEGRATION_PART, type SyncSpec } from './model';
import { TRACK_SIDES, type TrackSide } from './rules/alignment';
import { awaitedOfTracks, describePoint, describeSync, STEP_STATE_OF_PHASE, STEP_STATE_OF_SYNC, type TracksView } from './view';

export interface ShownTracks extends Omit<TracksStep, keyof StepBase | 'parts' | 'integrates'> {
  integration?: string;
}

export const TRACKS_DESCRIPTION: Description<TracksStep, ShownTracks> = {
  data: ({ id, a, b, sync, ahead, onBlocked, onMisaligned, parts }, words) => {
    const last = parts.find((part) => part.id === partId(id, INTEGRATION_PART));
    const integration =
      last?.kind === 'command' && 'shell' in last.command ? words.shell(last.command.shell, last.command.raw === true) : undefined;
    return { kind: 'tracks', ...{ a, b, sync, ahead }, ...defined({ integration, onBlocked, onMisaligned }) };
  },
  line: ({ a, b, sync }) => `${a.agent} and ${b.agent} side by side, aligned at ${sync.length} ${sync.length === 1 ? 'point' : 'points'}`,
  facts: (data) => [
    ...TRACK_SIDES.flatMap((side) => fact(`track ${side}`, `${data[side].agent}: ${data[side].phases.join(', ')}`)),
    ...data.sync.flatMap((point) => fact(`sync ${point.id}`, wordsOfPoint(point))),
    ...fact('ahead', data.ahead === 'one_phase' ? 'begins its next phase provisionally' : 'keeps waiting'),
    ...fact('integration', data.integration),
    ...fact('on blocked', data.onBlocked && describeActions(data.onBlocked)),
    ...fact('on misaligned', data.onMisaligned ? describeActions(data.onMisaligned) : 'track a goes on to its end, then b follows it'),
  ],
  label: ({ a, b, sync }, view) =>
    stepLabel(
      view?.tracks
        ? [describeSync(view.tracks), awaitedOfTracks(view.tracks) !== undefined && `waits for ${awaitedOfTracks(view.tracks)}`]
        : [`${a.agent} and ${b.agent}`, `${sync.length} sync ${sync.length === 1 ? 'point' : 'points'}`],
    ),
  inside: (step, id, { view, expanded }) => (expanded ? { nodes: [], edges: [] } : drawTracks(step, id, view)),
  shape: 'frame',
  frame: 'tracks',
};

function wordsOfPoint({ name, after, by, rounds, waitMs }: SyncSpec): string {
  const checks = rounds === 1 ? 'once' : `at most ${rounds} times`;
  const title = name === undefined ? '' : `${name}: `;
  return `${title}after ${after.a} and ${after.b}, ${by} checks ${checks}, the first waits ${duration(waitMs)}`;
}

type Drawn = Pick<TracksStep, TrackSide | 'sync'>;

/**
 * Two tracks as they are written: phases one after the other, and each sync point behind those that it waits for. `id`: that of their step
 * in the picture.
 */
function drawTracks(step: Drawn, id: string, view: StepView | undefined): Pick<Graph, 'nodes' | 'edges'> {
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
