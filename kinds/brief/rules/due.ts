import type { Phase } from '../../../plan/brief/note';
import { defined, unlessEmpty } from '../../../plan/defined';
import { bug } from '../../../plan/run/failure';
import type { CoordinatorState } from './coordinator-state';
import type { CallGiven, Due } from './events';
import type { Judge, OperatorChoice, SubTaskState } from './words';

/** What a state waits for. Pure: the same state waits for the same, however often it is asked, in whichever execution. */
export function dueIn(state: CoordinatorState): Due {
  const { at, over, current: subtask, team } = state;
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
        number: turnOf(state),
        expects: 'plan',
        given: defined({ plan: state.plan, comment: state.comment }),
      };
    case 'execute': {
      const task = currentTask(state);
      return {
        kind: 'call',
        role: task.role ?? 'executor',
        number: turnOf(state),
        expects: 'execution',
        subtask: task.id,
        toolCalls: task.toolCalls ?? 0,
        given: givenToExecutor(state, task),
      };
    }
    case 'review_step': {
      const { id, execution, toolCalls = 0 } = currentTask(state);
      const given = defined({ execution, comment: state.comment });
      return { kind: 'call', role: requireJudge(state), number: turnOf(state), expects: 'review', subtask: id, toolCalls, given };
    }
    case 'dispatch': {
      const isPlan = !state.isPlanConfirmed;
      const choices: OperatorChoice[] = team.isSingle ? ['confirm', 'stop'] : ['confirm', isPlan ? 'retry' : 'skip', 'stop'];
      return {
        kind: 'confirm',
        number: turnOf(state),
        ...defined({ subtask: isPlan ? undefined : subtask }),
        choices,
        isAsked: team.isGated,
      };
    }
    case 'block':
    case 'escalate':
      return { kind: 'operator', number: turnOf(state), ...defined({ subtask }), choices: choicesOf(state) };
  }
}

/** The turn of what is asked next. An agent and a person are never asked in the same one. */
export function turnOf({ calls, asks }: Pick<CoordinatorState, 'calls' | 'asks'>): number {
  return calls + asks + 1;
}

/** Without a plan there is nothing to pass or skip. */
function choicesOf({ halt, current, team }: CoordinatorState): OperatorChoice[] {
  if (halt?.why === 'disagreement') return ['pass', 'needs_retry', 'fail'];
  if (team.isSingle) return ['retry', 'pass', 'stop'];
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
