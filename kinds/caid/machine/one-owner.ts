import { pathsMeet } from '../../../plan/text/paths-meet';
import type { TaskState, TeamState } from '../state';

/**
 * The second road for returned work: tasks that have not begun and own a disputed file are done within the task, by one engineer, while
 * nothing else is in progress. Returns the tasks that it holds from now on.
 */
export function joinUnderOneOwner(state: TeamState, task: TaskState): string[] {
  const disputed = [...task.files, ...(task.returned?.paths ?? [])];
  const isDisputed = (file: string) => disputed.some((path) => pathsMeet(path, file));
  const meets = state.tasks.filter(
    (other) => other !== task && other.stage === 'open' && other.attempt === 0 && other.files.some(isDisputed),
  );
  const held: string[] = [];
  for (const other of meets) {
    if (!mayJoin(state, task, other)) continue;
    join(state, task, other);
    held.push(other.id);
  }
  return held;
}

/** False if one of the two waits for a third that waits for the other: that task would wait for itself. */
function mayJoin(state: TeamState, task: TaskState, other: TaskState): boolean {
  return !isBetween(state, task.id, other.id) && !isBetween(state, other.id, task.id);
}

/** Whether a task that is neither waits for `first`, and `last` for it. */
function isBetween(state: TeamState, first: string, last: string): boolean {
  const open = (state.tasks.find(({ id }) => id === last)?.waitsFor ?? []).filter((id) => id !== first);
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === first) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(state.tasks.find(({ id }) => id === next)?.waitsFor ?? []));
  }
  return false;
}

function join(state: TeamState, task: TaskState, other: TaskState): void {
  task.files = [...new Set([...task.files, ...other.files])];
  task.holds = [...(task.holds ?? []), other.id];
  task.waitsFor = [...new Set([...task.waitsFor, ...other.waitsFor])].filter((id) => id !== task.id && id !== other.id);
  task.complexity = Math.max(task.complexity, other.complexity);
  other.stage = 'held';
  for (const one of state.tasks) {
    if (one === task || !one.waitsFor.includes(other.id)) continue;
    one.waitsFor = [...new Set(one.waitsFor.map((id) => (id === other.id ? task.id : id)))];
  }
}
