import { defined } from '../../plan/defined';
import { isTemplate } from '../../plan/expressions/expression';
import { depthsOf } from '../../plan/graph/depths';
import type { Graph, GraphEdge } from '../../plan/graph/graph-model';
import type { StepView } from '../../plan/run/status';
import type { Description, Words } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import type { CaidStep } from '../../plan/steps/step';
import type { StepBase } from '../../plan/steps/step-base';
import type { Json } from '../../plan/text/json';
import type { Isolation, VerifyPolicy } from './rules/team';
import { shownTasks } from './view';

export interface ShownCaid extends Omit<CaidStep, keyof StepBase | 'parts' | 'prompt' | 'repo'> {
  prompt?: string;
  repo?: string;
}

const VERIFIED_BY: Readonly<Record<VerifyPolicy, string | undefined>> = {
  self: undefined,
  gate: undefined,
  manager: 'the manager, then the tests of the merged tree',
  efficient: 'its engineer, and the tests of the merged tree if that is a different one',
  human: 'a person, then the tests of the merged tree',
};

const KEPT_APART_BY: Readonly<Record<Isolation, string | undefined>> = {
  worktree: undefined,
  shared: 'instructions alone: all engineers work in one checkout',
  single: undefined,
};

export const CAID_DESCRIPTION: Description<CaidStep, ShownCaid> = {
  data: ({ prompt, into, repo, engineers, verify, isolation, limits, testEach, testEnd, restricted }, words) => ({
    kind: 'caid',
    ...{ into, engineers, verify, isolation, limits, restricted },
    ...goalOf(words.blob(prompt), words),
    ...defined({ repo: repo && words.text(repo), testEach, testEnd }),
  }),
  line: ({ engineers, into }) => `a manager and ${engineers} ${engineers === 1 ? 'engineer' : 'engineers'}, merged into ${into}`,
  facts: ({ prompt, repo, limits, testEach, testEnd, restricted, verify, isolation }) => [
    ...fact('to build', prompt),
    ...fact('repository', repo),
    ...fact('test of each merge', testEach ?? 'the acceptance commands of what is merged'),
    ...fact('test at the end', testEnd),
    ...fact('restricted', restricted.length > 0 ? restricted.join(', ') : undefined),
    ...fact('verified by', VERIFIED_BY[verify]),
    ...fact('kept apart by', KEPT_APART_BY[isolation]),
    ...fact('limits', `${limits.rounds} rounds, ${limits.returns} returns of a task`),
  ],
  label: ({ engineers }) => stepLabel([`${engineers} ${engineers === 1 ? 'engineer' : 'engineers'}`]),
  inside: (_, id, { view }) => drawTasks(id, view),
  shape: 'frame',
  frame: 'loop',
};

function goalOf(template: Json | undefined, words: Words): { prompt?: string } {
  return isTemplate(template) ? { prompt: words.readable(template) } : {};
}

/** The tasks of a team that a run has: no plan has them. `id`: that of the team's step in the picture. */
function drawTasks(id: string, view: StepView | undefined): Pick<Graph, 'nodes' | 'edges'> {
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
