import { type TaskState, type TeamState, taskOf } from '../state';

/** Tasks whose predecessors are all merged into the target, the first to be done first. The engine decides this: no model is asked. */
export function readyTasks(state: TeamState): TaskState[] {
  const ready = state.tasks.filter((task) => task.stage === 'open' && task.waitsFor.every((id) => taskOf(state, id).stage === 'merged'));
  if (ready.length < 2) return ready;
  const ranks = new Map(ready.map((task) => [task.id, rankOf(state, task)]));
  return ready.sort((a, b) => compare(ranks.get(a.id) ?? [], ranks.get(b.id) ?? []));
}

/** Returned tasks before new ones, then in the order of docs/caid.md: enables tests, upstream, simpler, and the longest remaining path. */
function rankOf(state: TeamState, task: TaskState): number[] {
  return [
    task.returned ? 0 : 1,
    task.enablesTests ? 0 : 1,
    depthOf(state, task),
    task.complexity,
    -pathFrom(state, task.id),
    state.tasks.indexOf(task),
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? 0;
    if (value !== other) return value - other;
  }
  return 0;
}

/** The length of the longest chain of tasks before this one. */
function depthOf(state: TeamState, { waitsFor }: TaskState, known = new Map<string, number>()): number {
  let most = 0;
  for (const id of waitsFor) {
    const before = known.get(id) ?? 1 + depthOf(state, taskOf(state, id), known);
    known.set(id, before);
    most = Math.max(most, before);
  }
  return most;
}

/** The length of the longest chain of tasks from this one on, itself included. */
function pathFrom(state: TeamState, id: string, known = new Map<string, number>()): number {
  const found = known.get(id);
  if (found !== undefined) return found;
  const behind = state.tasks.filter(({ waitsFor }) => waitsFor.includes(id)).map((task) => pathFrom(state, task.id, known));
  const length = 1 + Math.max(0, ...behind);
  known.set(id, length);
  return length;
}
