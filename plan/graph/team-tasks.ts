import { shownTasks } from '../../kinds/caid/rules/shown-tasks';
import type { StepView } from '../run/status';
import { depthsOf } from './depths';
import type { GraphEdge, GraphNode } from './graph-model';

/** The tasks of a team that a run has: no plan has them. `id`: that of the team's step in the picture. */
export function drawTasks(id: string, view: StepView | undefined): { nodes: GraphNode[]; edges: GraphEdge[] } {
  if (view?.team === undefined) return { nodes: [], edges: [] };
  const tasks = shownTasks({ ...view, team: view.team });
  const depths = depthsOf(new Map(tasks.map((task) => [task.id, task.dependsOn])));
  const idOf = (task: string): string => `${id}/${task}`;
  return {
    nodes: tasks.map((task) => ({
      ...{ id: idOf(task.id), name: task.id, kind: 'task', conditional: false, state: task.state, depth: depths.get(task.id) ?? 0 },
      label: task.engineer === undefined ? task.words : `${task.engineer}: ${task.words}`,
    })),
    edges: tasks.flatMap((task) => task.dependsOn.map((before): GraphEdge => ({ from: idOf(before), to: idOf(task.id), kind: 'order' }))),
  };
}
