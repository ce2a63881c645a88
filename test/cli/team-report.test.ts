import { changesBetween, renderChange } from '../../cli/rendering/changes';
import { renderTree } from '../../cli/rendering/tree';
import { comparedTeams } from '../../cli/teams/team-comparison';
import { renderTeamReport } from '../../cli/teams/team-report';
import { teamReportPage } from '../../cli/teams/team-report-page';
import type { TeamReport } from '../../kinds/caid/rules/report';
import type { TeamView } from '../../kinds/caid/view';
import { graphOf } from '../../plan/graph/graph';
import { mermaid } from '../../plan/graph/mermaid';
import { everyStep } from '../../plan/steps/walk';
import { fakeTerminal } from './fake-terminal';
import { CHOOSING } from './nested-plan';
import { at, runView, stepView } from './views';

const terminal = { ...fakeTerminal(), live: false, columns: () => 120 };
const { colors } = terminal;

const TEAM: TeamView = {
  head: 'h',
  tasks: [
    { id: 'parse', stage: 'merged', attempt: 1, engineer: 'e1', dependsOn: [], waitsFor: [], result: '0123456789abcdef' },
    { id: 'format', stage: 'working', attempt: 2, engineer: 'e2', dependsOn: [], waitsFor: [], returned: 'red' },
    { id: 'convert', stage: 'open', attempt: 0, dependsOn: ['parse', 'format'], waitsFor: ['format'] },
  ],
  engineers: [
    { id: 'e1', rounds: 1 },
    { id: 'e2', rounds: 2, task: 'format' },
  ],
};

const step = (team: TeamView) => stepView('build', { kind: 'caid', state: 'running', startedAt: at(1), team });

test('a tree has a line for each task: who has it, and what it waits for', () => {
  const lines = renderTree(runView([step(TEAM)]), { colors, columns: 120, now: Date.parse(at(60)) });
  expect(lines.slice(1)).toEqual([
    '└─ ▸ build  caid  59 s  1 of 3 tasks merged',
    '   ├─ ✓ parse    e1  merged 0123456789ab',
    '   ├─ ▸ format   e2  at work, attempt 2, came back: red',
    '   └─ · convert      waits for format',
  ]);
});

test('of many tasks those that are merged or far from their turn are counted', () => {
  const many = Array.from({ length: 60 }, (_, i) => ({ ...TEAM.tasks[2], id: `t${i}` }) as TeamView['tasks'][number]);
  const lines = renderTree(runView([step({ ...TEAM, tasks: [...TEAM.tasks, ...many] })]), {
    colors,
    columns: 120,
    now: Date.parse(at(60)),
  });
  expect(lines.slice(2)).toEqual(['   ├─ ▸ format  e2  at work, attempt 2, came back: red', '   └─ 1 done, 61 pending']);
});

test('what happens to a task is a line of what is followed, once', () => {
  const tasks = TEAM.tasks.map((task) => (task.id === 'format' ? { ...task, stage: 'submitted' as const } : task));
  const [before, after] = [runView([step(TEAM)]), runView([step({ ...TEAM, tasks })])];
  expect(changesBetween(before, after).map((change) => renderChange(change, colors))).toEqual([
    'build: format     e2  offered for merging, attempt 2',
  ]);
  expect(changesBetween(after, after)).toEqual([]);
});

test('a graph of a run has the tasks with their states and what each waits for', () => {
  const [team] = [...everyStep([...CHOOSING.block.steps, ...(CHOOSING.finally?.steps ?? [])])].filter(({ kind }) => kind === 'caid');
  if (!team) throw new Error('the plan has a team');
  const plan = { ...CHOOSING, block: { order: 'sequence' as const, steps: [team] } };
  const view = stepView(team.id, { kind: 'caid', state: 'running', team: TEAM });
  const text = mermaid(graphOf(plan, { steps: [view] }));
  expect(text).toContain(`s_${team.id}_format["format<br/>e2: at work, attempt 2, came back: red"]`);
  expect(text).toContain(`s_${team.id}_parse --> s_${team.id}_convert`);
  expect(text).toMatch(new RegExp(`class [^\n]*s_${team.id}_parse[^\n]* done`));
  expect(mermaid(graphOf(plan))).not.toContain('convert');
});

const REPORT: TeamReport = {
  ...{ run: 'r', step: 'build', isolation: 'worktree', status: 'success', startedAt: at(0), endedAt: at(50), wallClockMs: 50_000 },
  engineers: [{ id: 'e1', rounds: 2, workMs: 20_000 }],
  tasks: [
    {
      ...{ id: 'parse', words: 'merged 0123456789ab, 2 attempts', stage: 'merged', dependsOn: [] },
      attempts: [
        {
          ...{ task: 'parse', engineer: 'e1', attempt: 1, number: 1, assignedAt: at(10), submittedAt: at(20) },
          end: { kind: 'returned', at: at(25), reason: 'red', message: '<script>alert("1")</script>' },
        },
        {
          ...{ task: 'parse', engineer: 'e1', attempt: 2, number: 2, assignedAt: at(25), submittedAt: at(35) },
          end: { kind: 'merged', at: at(40), commit: '0123456789abcdef' },
        },
      ],
    },
  ],
  warnings: ['parse: it removes tests: "test/parse.test.js"'],
  ...{ returned: { red: 1 }, wastedMs: 10_000, bound: { measuredMs: 30_000, finishMs: 15_000, leastMs: 15_000, ratio: 0.5 } },
};

test('a report has its figures, and a line for each attempt', () => {
  const text = renderTeamReport(REPORT, terminal);
  expect(text).toContain('came back: 1 red; 10 s of work');
  expect(text).toContain('15 s (50 %)');
  expect(text).toContain('look at: parse: it removes tests: "test/parse.test.js"');
  expect(text.split('\n').filter((line) => line.startsWith('parse'))).toEqual([
    expect.stringMatching(/^parse +e1 .* came back: red: <script>/),
    expect.stringMatching(/^parse \(attempt 2\) +e1 .* merged 0123456789ab$/),
  ]);
});

test('its page has a bar for each attempt and for its way through the queue, loads nothing, and runs nothing that an agent wrote', () => {
  const page = teamReportPage([REPORT], Date.parse(at(60)));
  expect([...page.matchAll(/<g class="(\w+)">/g)].map(([, look]) => look)).toEqual(['lost', 'returned', 'work', 'merged']);
  expect(page).not.toContain('<script');
  expect(page).toContain('&lt;script&gt;');
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/(?:src|href)=/);
});

test('the page of a team that nothing was assigned in has no chart', () => {
  expect(teamReportPage([{ ...REPORT, tasks: [] }], 0)).not.toContain('<svg');
});

test('of several teams a table says how they compare, in text and on the page', () => {
  const single: TeamReport = {
    ...REPORT,
    run: 's',
    isolation: 'single',
    tests: { state: 'failed', passed: 31, ran: 57 },
    returned: { conflict: 2, red: 1 },
    wastedMs: 5000,
  };
  const rows = comparedTeams([
    { ...REPORT, tests: { state: 'passed' }, returned: {}, wastedMs: 0 },
    single,
    { ...REPORT, isolation: 'shared' },
  ]);
  expect(rows.map((row) => [row[0], ...row.slice(3, 9)])).toEqual([
    ['r build', '1 of 1', 'passed', '0', '0', '0.0 s', '50 s'],
    ['s build', '1 of 1', 'failed, 31 of 57 pass', '2', '3', '5.0 s', '50 s'],
    ['r build', '1 of 1', 'not run', '0', '1', '10 s', '50 s'],
  ]);
  expect(rows.map(([, isolation]) => isolation)).toEqual(['worktree', 'single', 'shared']);
  expect(teamReportPage([REPORT, single], Date.parse(at(60)))).toContain('<th>wall-clock</th>');
  expect(teamReportPage([REPORT], Date.parse(at(60)))).not.toContain('<th>wall-clock</th>');
});
