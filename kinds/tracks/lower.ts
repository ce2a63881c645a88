import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { namedAgent } from '../../compiler/lower/agents/agent-work';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { checkPartIds } from '../../compiler/lower/parts/part-steps';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { headOf } from '../../compiler/shape/keys';
import { defined } from '../../plan/defined';
import type { TracksStep } from '../../plan/steps/step';
import { DEFAULT_SYNC_ROUNDS, DEFAULT_WAIT_MS, INTEGRATION_PART, type SyncSpec, type TrackSpec } from './model';
import { partsOf } from './parts';
import { TRACK_SIDES, type TrackSide } from './rules/alignment';
import { syncPhases } from './sync-order';
import { phasesOf, pointsOf, type SyncSource, type TracksSource } from './written';

export const TRACKS_LOWERING: KindLowering<TracksSource> = {
  lower: tracksStep,
  output: (work) => fields({ status: OPEN, a: delivered(work, 'a'), b: delivered(work, 'b'), sync: OPEN }),
};

function fields(of: Record<string, OutputShape>): OutputShape {
  return { kind: 'fields', fields: new Map(Object.entries(of)) };
}

function delivered(work: TracksSource, side: TrackSide): OutputShape {
  return fields(Object.fromEntries(phasesOf(work, side).map(({ id }) => [id.value, OPEN])));
}

function tracksStep(work: TracksSource, here: StepContext): LoweredStep | undefined {
  const { base, actions } = here;
  const [a, b] = TRACK_SIDES.map((side) => trackOf(work, side, here));
  const after = syncPhases(work, here);
  const sync = pointsOf(work).map((point, i) => pointOf(point, after[i], here));
  const onBlocked = actions(work.onBlocked, 'on_blocked');
  const onMisaligned = actions(work.onMisaligned === 'linear' ? undefined : work.onMisaligned, 'on_misaligned');
  checkIds(work, here);
  const isWhole = a && b && sync.every((point) => point !== undefined);
  const tracks = { a: a ?? NOBODY, b: b ?? NOBODY, sync: sync.filter((point) => point !== undefined) };
  // Names in the prompts are looked up even if the step cannot be lowered.
  const parts = partsOf(work, tracks, here);
  if (!isWhole || tracks.sync.length === 0) return undefined;
  const step: TracksStep = {
    ...base,
    kind: 'tracks',
    ...tracks,
    ahead: work.ahead ?? 'one_phase',
    ...defined({ onBlocked, onMisaligned, integrates: work.integration ? (true as const) : undefined }),
    parts,
  };
  return { step };
}

const NOBODY: TrackSpec = { agent: '', phases: [] };

function trackOf(work: TracksSource, side: TrackSide, here: StepContext): TrackSpec | undefined {
  const written = work[side]?.agent;
  const agent = written && namedAgent(written, here);
  const phases = phasesOf(work, side).map(({ id }) => id.value);
  return agent && phases.length > 0 ? { agent: agent.id, phases } : undefined;
}

function pointOf(point: SyncSource, after: Record<TrackSide, string> | undefined, here: StepContext): SyncSpec | undefined {
  const by = checkerOf(point, here);
  if (by === undefined || !after) return undefined;
  const { id, name, rounds = DEFAULT_SYNC_ROUNDS, waitMs = DEFAULT_WAIT_MS } = point;
  return { id: id.value, ...defined({ name: name?.value }), after, by, rounds, waitMs };
}

/** The agent that checks a point: the one that it names, else the owner. */
function checkerOf({ id, check, node }: SyncSource, here: StepContext): string | undefined {
  const { context } = here;
  if (check?.agent) return namedAgent(check.agent, here)?.id;
  const owner = context.pipeline.owner?.value;
  if (owner !== undefined) context.namedAgents.add(owner);
  else
    context.report(
      'tracks.nobody-checks',
      headOf(node),
      `nobody checks the sync point "${id.value}": it names no agent, and the pipeline has no owner`,
      'add `check: {agent: lead}`, or `owner:` to the pipeline',
    );
  return owner;
}

function checkIds(work: TracksSource, here: StepContext): void {
  const phases = TRACK_SIDES.flatMap((side) =>
    phasesOf(work, side).map(({ id }) => ({ part: id.value, called: `the phase "${id.value}" of track ${side}`, at: id.at })),
  );
  const points = pointsOf(work).map(({ id }) => ({ part: id.value, called: `the sync point "${id.value}"`, at: id.at }));
  const last = work.integration ? [{ part: INTEGRATION_PART, called: 'its integration' }] : [];
  checkPartIds(here, [...last, ...phases, ...points]);
}
