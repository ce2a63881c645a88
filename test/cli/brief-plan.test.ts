import { planWarnings } from '../../cli/briefs/plan-warnings';
import { briefPlanGraph, renderBriefPlan, warningLine } from '../../cli/rendering/brief-plan';
import { drawGraph } from '../../cli/rendering/drawing/draw-graph';
import { renderGraph } from '../../cli/rendering/graph/graph';
import type { HandOff } from '../../plan/brief/hand-off';
import { fakeTerminal } from './fake-terminal';

/** What `thermidor brief plan` prints of a plan. */

const task = (id: string, more: Partial<HandOff<'plan'>['subtasks'][number]> = {}) => ({
  ...{ id, title: `Make ${id}`, instruction: `Write ${id}.`, acceptance_criteria: ['It is there'], ...more },
});
const PLAN: HandOff<'plan'> = {
  kind: 'plan',
  rationale: 'The page needs\nits styles.',
  subtasks: [
    task('page', { depends_on: ['styles'], role: 'writer', title: 'A page\u001b[2J', acceptance_criteria: ['It is valid', 'It is short'] }),
    task('styles', { instruction: 'Write them, and then git push --force to origin.' }),
  ],
};
const terminal = fakeTerminal({});

test('the sub-tasks are a table, in the order in which they run, and why they are so', () => {
  const lines = renderBriefPlan(PLAN, { ...terminal, columns: () => 200, live: true }).split('\n');
  expect(lines[0]).toMatch(/SUB-TASK +ROLE +TITLE +AFTER +ACCEPTED IF/);
  expect(lines[1]).toMatch(/^1 +styles +executor +Make styles +It is there/);
  expect(lines[2]).toMatch(/^2 +page +writer +A page.* +styles +It is valid; It is short/);
  expect(lines.slice(3)).toEqual(['', 'The page needs its styles.', '']);
  expect(lines.join('')).not.toContain('\u001b[2J');
});

test('`--graph`: an edge leads from what a sub-task depends on to it', () => {
  const graph = briefPlanGraph('site', PLAN);
  expect(graph.nodes.map(({ id, depth, label }) => [id, depth, label?.slice(0, 12)])).toEqual([
    ['styles', 0, 'executor: Ma'],
    ['page', 1, 'writer: A pa'],
  ]);
  expect(renderGraph(graph, 'mermaid', terminal.colors)).toMatch(/s_styles --> s_page/);
  expect(drawGraph(graph, { columns: 80, unicode: true, colors: terminal.colors })).toMatch(/styles[\s\S]*page/);
});

test.each([
  ['nothing', [], ['git_push']],
  ['what it speaks of', ['git_push'], []],
  ['everything', ['*'], []],
])('a sub-task that speaks of what is not authorised is warned of: the brief authorises %s', (_, authorized, categories) => {
  const found = planWarnings(PLAN, authorized);
  expect(found.map(({ subTask, category }) => [subTask, category])).toEqual(categories.map((category) => ['styles', category]));
  const lines = categories.map((category) => `"styles" speaks of ${category}, which the brief does not authorise: `);
  expect(found.map(warningLine)).toEqual(lines.map((line) => expect.stringContaining(line)));
});
