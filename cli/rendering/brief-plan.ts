import type { HandOff } from '../../plan/brief/hand-off';
import { inRunOrder } from '../../plan/brief/sub-task-order';
import type { Graph } from '../../plan/graph/graph-model';
import type { PlanWarning } from '../briefs/plan-warnings';
import type { Terminal } from '../terminal';
import { oneLine } from './text/printable';
import { renderTable } from './text/table';

type Plan = HandOff<'plan'>;

/** The sub-tasks as a table, in the order in which they run, and why they are so. */
export function renderBriefPlan({ subtasks, rationale }: Plan, terminal: Pick<Terminal, 'colors' | 'columns' | 'live'>): string {
  const rows = inRunOrder(subtasks).map(({ id, title, role, depends_on = [], acceptance_criteria }, at) => [
    String(at + 1),
    oneLine(id),
    oneLine(role ?? 'executor'),
    oneLine(title),
    depends_on.map(oneLine).join(', '),
    acceptance_criteria.map(oneLine).join('; '),
  ]);
  const table = renderTable(['', 'SUB-TASK', 'ROLE', 'TITLE', 'AFTER', 'ACCEPTED IF'], rows, terminal);
  return rationale === undefined ? table : `${table}\n${oneLine(rationale)}\n`;
}

export function warningLine({ subTask, category, sentence }: PlanWarning): string {
  return `"${oneLine(subTask)}" speaks of ${category}, which the brief does not authorise: ${oneLine(sentence)}`;
}

/** The sub-tasks as a picture, with what each depends on. */
export function briefPlanGraph(name: string, { subtasks }: Plan): Graph {
  const depths = new Map<string, number>();
  const nodes = inRunOrder(subtasks).map(({ id, title, role, depends_on = [] }) => {
    const depth = Math.max(0, ...depends_on.map((before) => (depths.get(before) ?? 0) + 1));
    depths.set(id, depth);
    return { id, name: id, kind: 'task' as const, label: `${role ?? 'executor'}: ${oneLine(title)}`, conditional: false, depth };
  });
  const edges = subtasks.flatMap(({ id, depends_on = [] }) =>
    [...new Set(depends_on)].map((from) => ({ from, to: id, kind: 'order' as const })),
  );
  return { name, nodes, edges };
}
