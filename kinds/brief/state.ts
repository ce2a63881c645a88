import { defined } from '../../plan/defined';
import type { Keeps } from '../../plan/steps/keeps';
import type { BriefStep } from '../../plan/steps/step';
import { CONFIRM_PART, OPERATOR_PART } from './model';
import type { CoordinatorState } from './rules/coordinator-state';
import { dueIn, phaseOf } from './rules/due';
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
  partInTurn: (kept, turn) => {
    const { coordinator } = beforeTurn(kept, turn);
    return coordinator && partDueIn(coordinator);
  },
  before: beforeTurn,
  beginsAnew: ({ coordinator }) =>
    coordinator === undefined || coordinator.over !== undefined || coordinator.calls + coordinator.asks === 0,
  isUnfinished: ({ coordinator }) => coordinator !== undefined && coordinator.over === undefined,
};

function beforeTurn({ coordinator, log = [], ...kept }: BriefKept, turn: number): BriefKept {
  const left = log.slice(0, turn - 1);
  return { ...kept, ...(coordinator ? { coordinator: stateAfter(newCoordinator(coordinator.team), left), log: left } : {}) };
}

function partDueIn(state: CoordinatorState): string | undefined {
  const due = dueIn(state);
  if (due.kind === 'call') return due.role;
  if (due.kind === 'operator') return OPERATOR_PART;
  return due.kind === 'confirm' ? CONFIRM_PART : undefined;
}

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
