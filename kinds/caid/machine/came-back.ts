import type { Returned } from '../rules/assignment';
import type { TaskState, TeamState } from '../state';
import { joinUnderOneOwner } from './one-owner';
import type { TeamDecision, TeamEvent } from './team-events';

/** The part of the machine for work that comes back to its author, before it has landed or afterwards. */

export function freeSlot(state: TeamState, task: string): void {
  for (const slot of state.slots) if (slot.task === task) delete slot.task;
}

export function cameBack(state: TeamState, task: TaskState, returned: Returned): TeamDecision[] {
  goesBack(state, task, returned);
  task.returns += 1;
  if (task.returns < state.limits.returns) return [];
  task.returns = 0;
  if (task.road === 'author') {
    task.road = 'owner';
    const held = joinUnderOneOwner(state, task);
    return held.length === 0 ? [] : [{ kind: 'join', task: task.id, held }];
  }
  task.road = 'person';
  task.stage = 'asking';
  return [{ kind: 'ask', task: task.id }];
}

function goesBack(state: TeamState, task: TaskState, returned: Returned): void {
  freeSlot(state, task.id);
  task.stage = 'open';
  task.returned = returned;
  state.returned[returned.reason] = (state.returned[returned.reason] ?? 0) + 1;
}

/** Landed work stays in the target. Its author continues from there. A mere guess does not change where a task goes. */
export function reopened(state: TeamState, task: TaskState, { returned, isGuess }: Extract<TeamEvent, { kind: 'red' }>): TeamDecision[] {
  const taken = [task.id, ...(task.holds ?? [])];
  state.merged = state.merged.filter((id) => !taken.includes(id));
  for (const key of ['commit', 'slot', 'result', 'order', 'isBelieved'] as const) delete task[key];
  if (!isGuess) return cameBack(state, task, returned);
  goesBack(state, task, returned);
  task.mayStay = true;
  return [];
}
