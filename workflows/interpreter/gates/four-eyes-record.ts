import { isApproval, runsChild } from '../../../kinds/questions';
import { defined } from '../../../plan/defined';
import type { CarryQuery } from '../../../plan/run/carry';
import type { FourEyesOfRun } from '../../../plan/run/child';
import type { ControlStep } from '../../../plan/steps/control';
import { everyStep } from '../../../plan/steps/walk';
import type { Run } from '../run';
import { stepIdAt } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import { passedGates } from './passed-gates';

/**
 * The people on whom a decision depends: a rerun needs them for four eyes once the gate itself is forgotten, as in finished iterations and
 * child pipelines. The starter of the new run may be none of those who approved. An unproven starter excludes nobody: two must have agreed.
 */
export function interestedOf(step: ControlStep | undefined, record: StepRecord): FourEyesOfRun | undefined {
  const { eyes } = record.within ?? {};
  const within = eyes !== true ? eyes : step && mayHoldFourEyes(step) ? UNKNOWN : undefined;
  return merged(step && ownEyes(step, record), within);
}

/** The people in a child that has not reported its end are unknown. */
const UNKNOWN: FourEyesOfRun = { by: [], unknown: true };
/** Keeps a state small: further people count as unknown. */
const MOST_NAMES = 200;

function mayHoldFourEyes(step: ControlStep): boolean {
  return [...everyStep<ControlStep>([step])].some((one) => runsChild(one) || (isApproval(one) && one.fourEyes));
}

function ownEyes(step: ControlStep, record: StepRecord): FourEyesOfRun | undefined {
  if (!isApproval(step) || !step.fourEyes) return undefined;
  const voices = passedGates(record, true).flatMap((gate) => gate.voices);
  const proven = new Set(voices.flatMap(({ by, identity }) => (identity === 'proven' && by !== undefined ? [by] : [])));
  const isAlone = step.identity === 'proven' && voices.length > 0 && proven.size <= 1;
  return {
    by: [...new Set(voices.flatMap(({ by, inPlaceOf }) => [by, inPlaceOf].filter((name) => name !== undefined)))],
    ...defined({ alone: isAlone || undefined }),
  };
}

function merged(one: FourEyesOfRun | undefined, other: FourEyesOfRun | undefined): FourEyesOfRun | undefined {
  if (!one || !other) return one ?? other;
  const by = [...new Set([...one.by, ...other.by])];
  return {
    by: by.slice(0, MOST_NAMES),
    ...defined({ alone: one.alone || other.alone, unknown: one.unknown || other.unknown || by.length > MOST_NAMES || undefined }),
  };
}

/** Notes the people of records that a container forgets, or of a finished one. */
export function noteInterested(container: StepRecord, eyes: FourEyesOfRun = { by: [] }): void {
  const known = container.within?.eyes === true ? UNKNOWN : container.within?.eyes;
  container.within = { ...container.within, eyes: merged(known, eyes) ?? eyes };
}

/** The people in all of a run's decisions: its parent needs them as it ends. */
export function interestedOfRun({ state, steps }: Pick<Run, 'state' | 'steps'>): FourEyesOfRun {
  const all = Object.entries(state.records).map(([path, record]) => interestedOf(steps.get(stepIdAt(path))?.step, record));
  return all.reduce<FourEyesOfRun | undefined>(merged, undefined) ?? { by: [] };
}

/** Why a decision does not hold in a run of this starter, in words. */
export function whyBarred({ by, alone, unknown }: FourEyesOfRun, { startedBy, provenStarter }: CarryQuery): string | undefined {
  if (unknown) return 'the other approvers are no longer known';
  if (startedBy !== undefined && by.includes(startedBy))
    return `${startedBy} decided there and starts the new run: one person may not do both`;
  return alone && !provenStarter ? 'the starter of the new run is not proven, and only one person has approved there' : undefined;
}
