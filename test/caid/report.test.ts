import { type ReportSource, teamReport } from '../../kinds/caid/rules/report';
import type { TaskView, TeamView } from '../../kinds/caid/view';
import { shownTasks } from '../../kinds/caid/view';
import type { JournalEntry, TeamWord } from '../../plan/run/journal';
import type { StepView } from '../../plan/run/status';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 5, 7, 30, second)).toISOString();

function task(id: string, more: Partial<TaskView> = {}): TaskView {
  return { id, stage: 'open', attempt: 0, dependsOn: [], waitsFor: [], ...more };
}

const words = (team: Partial<TeamView> & Pick<TeamView, 'tasks'>, state: StepView['state'] = 'running') =>
  shownTasks({ state, team: { head: 'h', engineers: [], ...team } }).map((one) => `${one.state}: ${one.words}`);

describe('a task is shown', () => {
  it.each([
    [task('a'), 'pending: waits for an engineer'],
    [task('a', { waitsFor: ['b', 'c'] }), 'pending: waits for b, c'],
    [task('a', { stage: 'working', attempt: 1 }), 'running: at work'],
    [task('a', { stage: 'working', attempt: 2, returned: 'red' }), 'running: at work, attempt 2, came back: red'],
    [task('a', { stage: 'submitted', attempt: 3 }), 'running: offered for merging, attempt 3'],
    [task('a', { stage: 'asking', attempt: 6, returned: 'conflict' }), 'waiting: a person decides, came back: conflict'],
    [task('a', { stage: 'merged', attempt: 2, result: '0123456789abcdef' }), 'done: merged 0123456789ab, 2 attempts'],
    [task('a', { stage: 'held', within: 'b' }), 'skipped: done within b'],
    [task('a', { stage: 'dropped', attempt: 6, returned: 'red' }), 'skipped: left out, came back: red'],
  ])('by what it is at: %j', (one, shown) => {
    expect(words({ tasks: [one] })).toEqual([shown]);
  });

  it('as left open if its team is over, or its step has ended', () => {
    const tasks = [
      task('a', { stage: 'working', attempt: 2 }),
      task('b', { waitsFor: ['a'] }),
      task('c', { stage: 'merged', result: 'r' }),
    ];
    const left = ['skipped: not merged, attempt 2', 'skipped: not begun', 'done: merged r'];
    expect(words({ tasks, over: 'failure' })).toEqual(left);
    expect(words({ tasks }, 'skipped')).toEqual(left);
  });
});

const JOURNAL: [number, TeamWord, string, string?, number?, string?][] = [
  [10, 'assigned', 'a', 'e1', 1],
  [10, 'assigned', 'b', 'e2', 1],
  [20, 'submitted', 'a', 'e1', 1],
  [25, 'merged', 'a', 'e1', 1],
  [30, 'submitted', 'b', 'e2', 1],
  [35, 'returned', 'b', 'e2', 1, 'conflict: it conflicts with the branch in "x"'],
  [35, 'assigned', 'b', 'e2', 2],
  [45, 'submitted', 'b', 'e2', 2],
  [50, 'merged', 'b', 'e2', 2],
];

const journalOf = (rows: typeof JOURNAL) =>
  rows.map(
    ([second, event, id, engineer = '', attempt = 1, reason], i): JournalEntry => ({
      ...{ seq: i + 1, at: at(second), kind: 'team', step: 'build', event, task: id, engineer, attempt },
      ...(event === 'merged' ? { commit: `commit of ${id}` } : {}),
      ...(reason === undefined ? {} : { reason }),
    }),
  );
const journal = journalOf(JOURNAL);

const usage = (outputTokens: number) => ({ inputTokens: 0, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 1000 });

function source(more: Partial<ReportSource> = {}): ReportSource {
  const tasks = [task('a', { stage: 'merged', attempt: 1, result: 'x' }), task('b', { stage: 'merged', attempt: 2, result: 'y' })];
  const engineers = [
    { id: 'e1', rounds: 1 },
    { id: 'e2', rounds: 2 },
  ];
  const step: StepView = {
    id: 'build',
    kind: 'caid',
    address: 'build#1~1',
    state: 'done',
    round: 1,
    try: 1,
    startedAt: at(0),
    endedAt: at(60),
  };
  return {
    ...{ run: 'r', step: 'build', isolation: 'worktree', journal, nowMs: Date.parse(at(99)) },
    view: { ...step, team: { over: 'success', head: 'y', tasks, engineers } },
    paid: [
      { call: 'build[1]/build_manager#1~1', usage: usage(7) },
      { call: 'build[1]/build_check#1~1', usage: usage(5) },
      { call: 'build[1]/build_engineer#1~1', usage: usage(10) },
      { call: 'build[2]/build_engineer#1~1', usage: usage(20) },
      { call: 'build[3]/build_engineer#1~2', usage: usage(30) },
      { call: 'other[1]/build_engineer#1~1', usage: usage(999) },
    ],
    ...more,
  };
}

describe('a team’s report', () => {
  it('has each attempt with its times, what became of it, and what it used', () => {
    const { tasks } = teamReport(source());
    expect(tasks.map(({ attempts }) => attempts)).toEqual([
      [
        {
          ...{ task: 'a', engineer: 'e1', attempt: 1, number: 1, assignedAt: at(10), submittedAt: at(20), usage: usage(10) },
          end: { kind: 'merged', at: at(25), commit: 'commit of a' },
        },
      ],
      [
        {
          ...{ task: 'b', engineer: 'e2', attempt: 1, number: 2, assignedAt: at(10), submittedAt: at(30), usage: usage(20) },
          end: { kind: 'returned', at: at(35), reason: 'conflict', message: 'it conflicts with the branch in "x"' },
        },
        {
          ...{ task: 'b', engineer: 'e2', attempt: 2, number: 3, assignedAt: at(35), submittedAt: at(45), usage: usage(30) },
          end: { kind: 'merged', at: at(50), commit: 'commit of b' },
        },
      ],
    ]);
  });

  it('of a rerun finds what an attempt used by its turn: assignments go on, and the journal begins again', () => {
    const turns = journal.map((entry, i) => (i === 6 ? { ...entry, turn: 9 } : entry));
    const paid = [{ call: 'build[9]/build_engineer#1~1', usage: usage(90) }];
    const [, b] = teamReport(source({ journal: turns, paid })).tasks;
    expect(b?.attempts.map((one) => [one.number, one.usage?.outputTokens])).toEqual([
      [2, undefined],
      [9, 90],
    ]);
  });

  it('adds up what came back, what was wasted, and what engineers and manager used', () => {
    expect(teamReport(source())).toMatchObject({
      ...{ status: 'success', wallClockMs: 60_000, wastedMs: 20_000, returned: { conflict: 1 } },
      manager: { outputTokens: 12 },
      usage: { outputTokens: 72, costMicroUsd: 5000 },
      engineers: [
        { id: 'e1', rounds: 1, workMs: 10_000, usage: { outputTokens: 10 } },
        { id: 'e2', rounds: 2, workMs: 30_000, usage: { outputTokens: 50 } },
      ],
    });
  });

  it('of a team that has ended counts what nobody has brought to an end as wasted, until then', () => {
    const report = teamReport(source({ journal: journal.slice(0, 7) }));
    expect(report).toMatchObject({ wallClockMs: 60_000, wastedMs: 45_000, engineers: [{ workMs: 10_000 }, { workMs: 45_000 }] });
    expect(report.tasks[1]?.attempts.map(({ end }) => end?.kind)).toEqual(['returned', 'left']);
  });

  it('compares with list scheduling of the same times, in which nothing comes back', () => {
    // Ten seconds of work each, in parallel, and two merges of five seconds, one after the other.
    expect(teamReport(source()).bound).toMatchObject({ measuredMs: 40_000, finishMs: 20_000, ratio: 0.5 });
  });

  it.each<[string, typeof JOURNAL]>([
    [
      'the queue tests what comes back for half a minute, and what is merged behind it for five seconds',
      [
        [10, 'assigned', 'a', 'e1', 1],
        [10, 'assigned', 'b', 'e2', 1],
        [12, 'submitted', 'b', 'e2', 1],
        [20, 'submitted', 'a', 'e1', 1],
        [42, 'returned', 'b', 'e2', 1, 'red: its tests fail'],
        [42, 'assigned', 'b', 'e2', 2],
        [47, 'merged', 'a', 'e1', 1],
        [52, 'submitted', 'b', 'e2', 2],
        [57, 'merged', 'b', 'e2', 2],
      ],
    ],
    [
      'two are merged in one moment, as a batch of the queue is',
      [
        [10, 'assigned', 'a', 'e1', 1],
        [10, 'assigned', 'b', 'e2', 1],
        [20, 'submitted', 'a', 'e1', 1],
        [20, 'submitted', 'b', 'e2', 1],
        [30, 'merged', 'a', 'e1', 1],
        [30, 'merged', 'b', 'e2', 1],
      ],
    ],
  ])('counts as integration what integration is, and so is never above what was measured: %s', (_, rows) => {
    const measured = { measuredMs: (rows.at(-1)?.[0] ?? 0) * 1000 - 10_000, finishMs: 20_000 };
    const { bound } = teamReport(source({ journal: journalOf(rows) }));
    expect(bound).toMatchObject({ ...measured, ratio: measured.finishMs / measured.measuredMs });
    expect(bound?.ratio).toBeLessThanOrEqual(1);
  });

  it('of a team that is at work has no comparison, and counts its work until now', () => {
    const open = source({ journal: journal.slice(0, 7), nowMs: Date.parse(at(40)) });
    const { view } = open;
    const tasks = [task('a', { stage: 'merged', attempt: 1 }), task('b', { stage: 'working', attempt: 2 })];
    const team: TeamView = { head: 'x', tasks, engineers: view.team.engineers };
    const { endedAt: _endedAt, ...running } = { ...view, state: 'running' as const, team };
    const report = teamReport({ ...open, view: running });
    expect(report).toMatchObject({ status: 'running', wallClockMs: 40_000, engineers: [{ workMs: 10_000 }, { workMs: 25_000 }] });
    expect(report).not.toHaveProperty('bound');
  });
});
