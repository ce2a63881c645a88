import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { lowerActions } from '../../compiler/lower/action';
import { namedAgent } from '../../compiler/lower/agents/agent-work';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { checkPartIds } from '../../compiler/lower/parts/part-steps';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { defined } from '../../plan/defined';
import type { TracksStep } from '../../plan/steps/step';
import { DEFAULT_SYNC_ROUNDS, DEFAULT_WAIT_MS, INTEGRATION_PART, type SyncSpec, type TrackSpec } from './model';
import { partsOf } from './parts';
import { TRACK_SIDES, type TrackSide } from './rules/alignment';
import type { SyncSource, TrackSource, TracksSource } from './source';
import { syncPhases } from './sync-order';

export const TRACKS_LOWERING: KindLowering<TracksSource> = {
  lower: tracksStep,
  output: ({ a, b }) => fields({ status: OPEN, a: delivered(a), b: delivered(b), sync: OPEN }),
};

function fields(of: Record<string, OutputShape>): OutputShape {
  return { kind: 'fields', fields: new Map(Object.entries(of)) };
}

function delivered(track: TrackSource | undefined): OutputShape {
  return fields(Object.fromEntries((track?.phases ?? []).map(({ id }) => [id.value, OPEN])));
}

function tracksStep(work: TracksSource, here: StepContext): LoweredStep | undefined {
  const { base, place, context } = here;
  const [a, b] = TRACK_SIDES.map((side) => trackOf(work[side], here));
  const after = syncPhases(work, here);
  const sync = work.sync.map((point, i) => pointOf(point, after[i], here));
  const onBlocked = work.onBlocked && lowerActions(work.onBlocked, 'on_blocked', place, context);
  const onMisaligned = work.onMisaligned && lowerActions(work.onMisaligned, 'on_misaligned', place, context);
  checkIds(work, here);
  const isWhole = a && b && sync.every((point) => point !== undefined);
  const tracks = { a: a ?? NOBODY, b: b ?? NOBODY, sync: sync.filter((point) => point !== undefined) };
  // Also if the step cannot be lowered: names in its prompts are looked up.
  const parts = partsOf(work, tracks, here);
  if (!isWhole || tracks.sync.length === 0) return undefined;
  const step: TracksStep = {
    ...base,
    kind: 'tracks',
    ...tracks,
    ahead: work.ahead ?? 'one_phase',
    ...defined({ onBlocked, onMisaligned }),
    ...(work.integration ? { integrates: true } : {}),
    parts,
  };
  return { step };
}

const NOBODY: TrackSpec = { agent: '', phases: [] };

function trackOf(track: TrackSource | undefined, here: StepContext): TrackSpec | undefined {
  const agent = track?.agent && namedAgent(track.agent, here);
  return track && agent && track.phases.length > 0 ? { agent: agent.id, phases: track.phases.map(({ id }) => id.value) } : undefined;
}

function pointOf(point: SyncSource, after: Record<TrackSide, string> | undefined, here: StepContext): SyncSpec | undefined {
  const by = checkerOf(point, here);
  if (by === undefined || !after) return undefined;
  const { id, title, rounds = DEFAULT_SYNC_ROUNDS, waitMs = DEFAULT_WAIT_MS } = point;
  return { id: id.value, ...defined({ name: title }), after, by, rounds, waitMs };
}

/** Where nobody is named, the owner. */
function checkerOf({ id, agent, at }: SyncSource, here: StepContext): string | undefined {
  const { context } = here;
  if (agent) return namedAgent(agent, here)?.id;
  const owner = context.pipeline.owner?.value;
  if (owner !== undefined) context.namedAgents.add(owner);
  else
    context.report(
      'tracks.nobody-checks',
      at,
      `nobody checks the sync point "${id.value}": it names no agent, and the pipeline has no owner`,
      'add `check: {agent: lead}`, or `owner:` to the pipeline',
    );
  return owner;
}

function checkIds(work: TracksSource, here: StepContext): void {
  const phases = TRACK_SIDES.flatMap((side) =>
    (work[side]?.phases ?? []).map(({ id }) => ({ part: id.value, called: `the phase "${id.value}" of track ${side}`, at: id.at })),
  );
  const points = work.sync.map(({ id }) => ({ part: id.value, called: `the sync point "${id.value}"`, at: id.at }));
  const last = work.integration ? [{ part: INTEGRATION_PART, called: 'its integration' }] : [];
  checkPartIds(here, [...last, ...phases, ...points]);
}
