import { defined } from '../../../plan/defined';
import { engineerName, type TaskState, type TeamState } from '../state';
import type { TaskView, TeamView } from '../view';

/** What a run shows of a team. */
export function teamView(state: TeamState): TeamView {
  const { head, over, tasks, slots, merged } = state;
  const done = new Set(merged);
  return {
    ...defined({ over }),
    head,
    tasks: tasks.map((task) => taskView(task, tasks, done)),
    engineers: slots.map(({ rounds, task }, at) => ({ id: engineerName(at), rounds, ...defined({ task }) })),
  };
}

function taskView(task: TaskState, tasks: readonly TaskState[], done: ReadonlySet<string>): TaskView {
  const { id, stage, since, attempt, author, waitsFor, result, returned } = task;
  const engineer = author === undefined ? undefined : engineerName(author);
  const within = stage === 'held' ? tasks.find(({ holds }) => holds?.includes(id))?.id : undefined;
  return {
    ...{ id, stage, attempt, dependsOn: [...waitsFor], waitsFor: waitsFor.filter((one) => !done.has(one)) },
    ...defined({ since, engineer, result, returned: returned?.reason, within }),
  };
}
