import { defined } from '../../plan/defined';
import type { Keeps } from '../../plan/steps/keeps';
import type { BriefStep } from '../../plan/steps/step';
import type { CoordinatorState } from './rules/coordinator-state';
import { phaseOf } from './rules/due';
import type { CoordinatorEvent } from './rules/events';
import { newCoordinator, stateAfter } from './rules/machine';
import type { BriefView } from './view';

export interface BriefKept {
  coordinator?: CoordinatorState;
  /** What agents have replied and people have answered, by its turn: what was between follows from it. */
  log?: CoordinatorEvent[];
}

export const BRIEF_KEEPS: Keeps<BriefKept, BriefView> = {
  shown: ({ coordinator }, step) => (coordinator && step.kind === 'brief' ? briefView(step, coordinator) : undefined),
  // The one that is in progress has left nothing in the log.
  lastTurn: ({ coordinator, log = [] }) => coordinator && log.length + (coordinator.over === undefined ? 1 : 0),
  before: ({ coordinator, log = [], ...kept }, turn) => {
    const left = log.slice(0, turn - 1);
    return { ...kept, ...(coordinator ? { coordinator: stateAfter(newCoordinator(coordinator.team), left), log: left } : {}) };
  },
  beginsAnew: ({ coordinator }) =>
    coordinator === undefined || coordinator.over !== undefined || coordinator.calls + coordinator.asks === 0,
  isUnfinished: ({ coordinator }) => coordinator !== undefined && coordinator.over === undefined,
};

function briefView({ project, briefId }: Pick<BriefStep, 'project' | 'briefId'>, state: CoordinatorState): BriefView {
  const { at, subtasks, requests: calls, halt, over, isPlanConfirmed } = state;
  const current = isPlanConfirmed && state.current;
  return {
    ...{ project, ...defined({ briefId }), state: at, phase: phaseOf(state), calls },
    subtasks: subtasks.map(({ id, title, role, stage, attempts, isLetPass, reports = {} }) => {
      const verdicts = Object.entries(reports).map(([judge, { verdict }]) => [judge, verdict]);
      return {
        id,
        title,
        stage,
        attempts,
        ...defined({ role, isLetPass }),
        ...(verdicts.length > 0 ? { verdicts: Object.fromEntries(verdicts) } : {}),
      };
    }),
    ...defined({ current, over, halt: halt && { why: halt.why, by: halt.by, reason: halt.reason } }),
  };
}
