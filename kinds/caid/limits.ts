import type { CaidStep } from '../../plan/steps/step';
import type { TaskGraph } from './rules/task-graph';
import type { SlotState, TeamLimits } from './state';
import type { TeamStep } from './team';

type StepLimits = CaidStep['limits'];

/** An engineer that has used up its rounds rests, and the others continue. */
export function limitsOf({ place }: TeamStep): TeamLimits {
  const { limits } = place.step;
  return { roundsPerEngineer: roundsOf(limits).most, returns: limits.returns };
}

/** How many assignments an engineer gets, and the key that says so. */
function roundsOf({ rounds, roundsPerEngineer }: Pick<StepLimits, 'rounds' | 'roundsPerEngineer'>): { most: number; key: string } {
  return roundsPerEngineer !== undefined && roundsPerEngineer < rounds
    ? { most: roundsPerEngineer, key: 'limits.rounds_per_engineer' }
    : { most: rounds, key: 'limits.rounds' };
}

/** The failure for a graph with more tasks than its engineers get assignments: it cannot be finished, even if nothing comes back. */
export function tooFewRounds({ place }: TeamStep, { units }: Pick<TaskGraph, 'units'>): string[] {
  const { engineers, limits } = place.step;
  const { most, key } = roundsOf(limits);
  const assignments = Math.min(engineers, units.length) * most;
  if (units.length <= assignments) return [];
  return [
    `the graph has ${units.length} tasks, and the team gets ${assignments} assignments, so it cannot finish; raise ${key}, which is ${most}`,
  ];
}

/** Which limit has ended a team with open work; undefined if none has. */
export function usedUpLimit({ place }: Pick<TeamStep, 'place'>, slots: readonly SlotState[]): string | undefined {
  const { limits } = place.step;
  const { most, key } = roundsOf(limits);
  const used = slots.filter(({ rounds }) => rounds >= most).length;
  if (used === 0) return undefined;
  const who =
    slots.length === 1
      ? 'its engineer has'
      : used === slots.length
        ? `all ${used} engineers have`
        : `${used} of its ${slots.length} engineers have`;
  return `${who} had ${most} ${most === 1 ? 'assignment' : 'assignments'} (${key}: ${most})`;
}
