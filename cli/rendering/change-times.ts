import type { GateView } from '../../plan/people/gate';
import type { RoundView, RunView, StepView } from '../../plan/run/status';
import type { StepState } from '../../plan/run/step-state';
import type { ShownItem } from '../../plan/steps/kind-view';
import { itemsWithin } from './kind-words';
import { readableAddress } from './step-tree';

/**
 * When the events of a view happened, ISO 8601. A view does not have a time for everything: an event without one gets the latest time that
 * the run itself knows, or none if it can only have happened after the previous look.
 */

/** The latest time that the run itself knows. */
export function latestOf({ startedAt, steps, gates, held, paused }: RunView): string {
  const known = [
    ...steps.flatMap((step) => [step, ...(step.superseded ?? [])]).flatMap((round) => [round.startedAt, round.endedAt]),
    ...gates.map(({ openedAt }) => openedAt),
    ...(held ?? []).map(({ since }) => since),
    paused?.since,
  ];
  return latest(known) ?? startedAt;
}

/**
 * When a round of a step reached its state. Undefined: at an unknown moment after the previous look.
 *
 * @param was its state at the previous look
 */
export function timeOfRound(
  { round, state, was }: { round: RoundView; state: StepState; was: StepState | undefined },
  before: RunView | undefined,
  after: RunView,
): string | undefined {
  switch (state) {
    case 'running':
      // A round that is tried again, or continues after waiting, carries the time at which it first began.
      if (before !== undefined && (round.try > 1 || (was !== undefined && was !== 'pending'))) return undefined;
      return round.startedAt ?? latestOf(after);
    case 'waiting':
      return unlessOld(after.gates.find((gate) => isGateOf(gate, round))?.openedAt ?? round.startedAt ?? latestOf(after), before);
    case 'held':
      return unlessOld(after.held?.find(({ step }) => step === placeOf(round))?.since ?? latestOf(after), before);
    default:
      return round.endedAt ?? latestOf(after);
  }
}

/**
 * When a task of a team reached its place. One that has not moved is shown differently because the team has ended, or because another has
 * moved. Undefined if the run knows no times of tasks.
 */
export function timeOfTask(
  { since }: Pick<ShownItem, 'since'>,
  was: Pick<ShownItem, 'since'> | undefined,
  step: StepView,
): string | undefined {
  if (since !== was?.since) return since;
  return step.endedAt ?? latest(itemsWithin(step).map((task) => task.since));
}

/** When the run reached its state. @param moved the times of its events since the previous look */
export function timeOfRun(before: RunView | undefined, after: RunView, moved: readonly (string | undefined)[]): string | undefined {
  switch (after.state) {
    case 'running':
      return before === undefined ? after.startedAt : unlessOld(earliest(moved), before);
    case 'waiting':
      return unlessOld(latestOf(after), before);
    case 'held':
      return unlessOld(latest([...(after.held ?? []).map(({ since }) => since), ...after.gates.map(({ openedAt }) => openedAt)]), before);
    case 'paused':
      return unlessOld(after.paused?.since, before);
    default:
      return after.endedAt;
  }
}

/** A new event cannot be older than what was known. */
function unlessOld(time: string | undefined, before: RunView | undefined): string | undefined {
  return time !== undefined && before !== undefined && time < latestOf(before) ? undefined : time;
}

/** A gate's name, like that of a held step, has the round and no try. */
function isGateOf({ step }: GateView, round: RoundView): boolean {
  return step === placeOf(round);
}

function placeOf({ address }: RoundView): string {
  return readableAddress(address).replace(/~\d+$/, '');
}

function latest(times: readonly (string | undefined)[]): string | undefined {
  return sorted(times).at(-1);
}

function earliest(times: readonly (string | undefined)[]): string | undefined {
  return sorted(times)[0];
}

/** All are written alike, in UTC. */
function sorted(times: readonly (string | undefined)[]): string[] {
  return times.filter((time) => time !== undefined).sort();
}
