import { bug } from '../../../plan/run/failure';
import { unreachable } from '../../../plan/unreachable';
import type { CoordinatorState } from './coordinator-state';
import { currentTask } from './due';
import type { CoordinatorEvent } from './events';
import { applyVerdict, end, execute, follow } from './moves';
import { type Halt, JUDGES } from './words';

/** What people decide: at confirmations, and where a role cannot go on. Choices that are not due do not come here. */
export function answered(state: CoordinatorState, { choice, comment }: Extract<CoordinatorEvent, { kind: 'answered' }>): void {
  state.asks += 1;
  if (comment) state.comment = comment;
  const { halt } = state;
  delete state.halt;
  switch (choice) {
    case 'confirm':
      confirmed(state);
      return;
    case 'retry':
      askAgain(state, halt);
      return;
    case 'pass':
      if (halt?.isHeld) {
        state.at = halt.from;
        follow(state, halt.by);
      } else {
        currentTask(state).isLetPass = true;
        end(state, 'passed');
      }
      return;
    case 'skip':
      end(state, 'skipped');
      return;
    case 'stop':
      for (const task of state.subtasks) if (task.stage === 'working') task.stage = 'open';
      state.at = 'complete';
      state.over = 'stopped';
      return;
    case 'needs_retry':
    case 'fail':
      if (!halt) throw bug(`there is nothing to judge in ${state.at}`);
      state.at = halt.from;
      applyVerdict(state, choice, 'operator');
      return;
    default:
      unreachable(choice);
  }
}

/** The plan, then each of its sub-tasks. */
export function confirmed(state: CoordinatorState): void {
  if (!state.isPlanConfirmed) {
    state.isPlanConfirmed = true;
    return;
  }
  execute(state);
}

/** The role that could not go on is asked again, and nobody else. Work that was judged is done again, with as many tries as before. */
function askAgain(state: CoordinatorState, halt: Halt | undefined): void {
  if (!halt || halt.from === 'plan') {
    state.at = 'plan';
    state.subtasks = [];
    delete state.current;
    return;
  }
  const task = currentTask(state);
  if (halt.from === 'review_step' && halt.why !== 'verdict' && halt.why !== 'retries') {
    const judge = JUDGES.find((one) => one === halt.by);
    if (judge) delete task.reports?.[judge];
    state.at = 'review_step';
    return;
  }
  task.retries = 0;
  state.at = 'retry';
}
