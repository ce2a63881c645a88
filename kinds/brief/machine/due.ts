import { defined, unlessEmpty } from '../../../plan/defined';
import { bug } from '../../../plan/run/failure';
import type { CoordinatorState, Judge, SubTaskState } from '../state';
import type { CallGiven, Due, OperatorChoice, Phase } from './events';

/** What a state waits for. Pure: the same state waits for the same, however often it is asked, in whichever execution. */
export function dueIn(state: CoordinatorState): Due {
  const { at, over, current: subtask, calls, asks, team } = state;
  if (over !== undefined) return { kind: 'over' };
  switch (at) {
    case 'init':
    case 'retry':
    case 'next_subtask':
      return { kind: 'go' };
    case 'complete':
      return { kind: 'over' };
    case 'plan':
      return {
        kind: 'call',
        role: 'planner',
        number: calls + 1,
        expects: 'plan',
        given: defined({ plan: state.plan, comment: state.comment }),
      };
    case 'execute': {
      const task = currentTask(state);
      return {
        kind: 'call',
        role: task.role ?? 'executor',
        number: calls + 1,
        expects: 'execution',
        subtask: task.id,
        given: givenToExecutor(state, task),
      };
    }
    case 'review_step': {
      const { id, execution } = currentTask(state);
      const given = defined({ execution, comment: state.comment });
      return { kind: 'call', role: requireJudge(state), number: calls + 1, expects: 'review', subtask: id, given };
    }
    case 'dispatch': {
      const isPlan = !state.isPlanConfirmed;
      const choices: OperatorChoice[] = ['confirm', isPlan ? 'retry' : 'skip', 'stop'];
      return { kind: 'confirm', number: asks + 1, ...defined({ subtask: isPlan ? undefined : subtask }), choices, isAsked: team.isGated };
    }
    case 'block':
    case 'escalate':
      return { kind: 'operator', number: asks + 1, ...defined({ subtask }), choices: choicesOf(state) };
  }
}

/** Without a plan there is nothing to pass or skip. */
function choicesOf({ halt, current }: CoordinatorState): OperatorChoice[] {
  if (halt?.why === 'disagreement') return ['pass', 'needs_retry', 'fail'];
  if (current !== undefined) return ['retry', 'pass', 'skip', 'stop'];
  return halt?.isHeld ? ['retry', 'pass', 'stop'] : ['retry', 'stop'];
}

export function phaseOf({ at, halt }: CoordinatorState): Phase {
  if (at === 'complete') return 4;
  if (at === 'block' || at === 'escalate') return halt?.why === 'destructive' ? 3 : 2;
  return at === 'init' || at === 'dispatch' ? 0 : 1;
}

export function currentTask({ subtasks, current }: CoordinatorState): SubTaskState {
  const task = subtasks.find(({ id }) => id === current);
  if (!task) throw bug('no sub-task is assigned');
  return task;
}

/** The first that has not judged the last execution. */
export function nextJudge(state: CoordinatorState): Judge | undefined {
  const { reports = {} } = currentTask(state);
  return state.team.judges.find((judge) => !reports[judge]);
}

function requireJudge(state: CoordinatorState): Judge {
  const judge = nextJudge(state);
  if (!judge) throw bug('nobody is left to judge');
  return judge;
}

function givenToExecutor({ team, comment }: CoordinatorState, { execution, reports = {} }: SubTaskState): CallGiven {
  const wanted = team.judges.flatMap((judge) => {
    const { verdict, report } = reports[judge] ?? {};
    return report && verdict !== 'pass' ? [report] : [];
  });
  return defined({ execution, revisions: unlessEmpty(wanted), comment });
}
