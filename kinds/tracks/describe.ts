import { defined } from '../../plan/defined';
import { type Action, describeActions } from '../../plan/steps/action';
import type { Description } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import { partId } from '../../plan/steps/part-id';
import type { TracksStep } from '../../plan/steps/step';
import { duration } from '../../plan/text/duration';
import { type Ahead, INTEGRATION_PART, type SyncSpec, type TrackSpec } from './model';
import { TRACK_SIDES, type TrackSide } from './rules/alignment';
import { awaitedOfTracks, describeSync } from './view';

export interface ShownTracks extends Record<TrackSide, TrackSpec> {
  kind: 'tracks';
  sync: SyncSpec[];
  ahead: Ahead;
  integration?: string;
  onBlocked?: Action[];
  onMisaligned?: Action[];
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
  shape: 'frame',
  frame: 'tracks',
};

function wordsOfPoint({ name, after, by, rounds, waitMs }: SyncSpec): string {
  const checks = rounds === 1 ? 'once' : `at most ${rounds} times`;
  const title = name === undefined ? '' : `${name}: `;
  return `${title}after ${after.a} and ${after.b}, ${by} checks ${checks}, the first waits ${duration(waitMs)}`;
}
