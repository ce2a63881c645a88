import { compilePipeline } from '../../compiler/compile';
import type { TaskFacts } from '../../kinds/coordinate/rules/select';
import type { PlayedFile } from './file-play';
import { GREEN, PASSES, type Played, playTask, REVISE, TASK, taskFile, WORK } from './task-file';

/** The gates of a coordinated task: each phase has a time limit and conditions that it must meet (docs/patterns.md, CP-1). */
const HANGS = [{ hang: true }];
const NEVER = { stdout: 'late', after: '30h' };
const UNSOLVED = { work_rescue_e: [{ json: { solved: false, diagnosis: 'it is silent', attempted: [] } }] };
const vote = (word: string) => ({ json: { vote: word, rationale: 'It is so.' } });
const VOTES = { work_decide_p: [vote('APPROVE')], work_decide_e: [vote('APPROVE')], work_decide_t: [vote('APPROVE')] };
const PLANNED = {
  work_plan: [
    {
      json: {
        tasks: [
          { id: 'a', title: 'A' },
          { id: 'b', title: 'B' },
        ],
        summary: 'two',
      },
    },
  ],
  work_plan_ok: [PASSES],
};
const DELIVERED = {
  ...{ ...PLANNED, work_impl_executor: [{ json: { summary: 'done', findings: [], artifacts: [] } }] },
  work_impl_validator: [PASSES],
};
const GATES = { ...TASK, work_impl_no_regression: { stdout: 'ok' }, work_impl_final: { stdout: 'ok' } };

const BIG: Partial<TaskFacts> = { taskType: 'feature', complexity: 'high' };
const withReplies = (replies: Record<string, unknown>, commands: Record<string, unknown> = GREEN) => ({ replies, commands });

/** The time of the step's first start, in milliseconds. */
function firstStart({ journal }: PlayedFile, id: string): number | undefined {
  const entry = journal.find((one) => one.kind === 'step' && one.step.endsWith(id) && one.state === 'running');
  return entry && Date.parse(entry.at);
}

/** The phases by their step: facts that select the phase, and replies in which somebody is silent. */
const PHASES: Record<string, { facts: Partial<TaskFacts> } & Pick<Played, 'replies' | 'commands'>> = {
  work_advise: { facts: { complexity: 'medium', hasExpert: true }, ...withReplies({ ...WORK, work_advise_consultant: HANGS }) },
  work_plan: { facts: {}, ...withReplies({ ...WORK, work_plan: HANGS }) },
  work_plan_ok: { facts: {}, ...withReplies({ ...WORK, work_plan_ok: HANGS }) },
  work_decide: { facts: { risk: 'high' }, ...withReplies({ ...WORK, ...VOTES, work_decide_t: HANGS }) },
  work_impl: { facts: {}, ...withReplies({ ...WORK, work_impl: HANGS }) },
  work_impl_executor: { facts: BIG, ...withReplies({ ...DELIVERED, work_impl_executor: HANGS }, GATES) },
  work_impl_validator: { facts: BIG, ...withReplies({ ...DELIVERED, work_impl_validator: HANGS }, GATES) },
  work_impl_no_regression: { facts: BIG, ...withReplies(DELIVERED, { ...GATES, work_impl_no_regression: NEVER }) },
  work_impl_final: { facts: BIG, ...withReplies(DELIVERED, { ...GATES, work_impl_final: NEVER }) },
  work_review: { facts: { taskType: 'review' }, ...withReplies({ ...WORK, work_review: HANGS }) },
};

test.each(Object.entries(PHASES))(
  'a phase is blocked that is not done within blocked_after: %s',
  async (step, { facts, replies, commands }) => {
    const played = await playTask(facts, { replies: { ...replies, ...UNSOLVED }, commands, more: 'blocked_after: 2m' });
    const begun = firstStart(played, step);
    const called = firstStart(played, 'work_rescue');
    expect([begun, called]).toEqual([expect.any(Number), expect.any(Number)]);
    expect((called ?? 0) - (begun ?? 0)).toBe(120_000);
  },
);

test('every step of a phase has its time, whatever the facts select', () => {
  const more = 'blocked_after: 7m\ninto: main\ntests: {format: tap}';
  const facts: Partial<TaskFacts>[] = [
    { ...BIG, risk: 'high', hasExpert: true },
    { taskType: 'review', risk: 'high', hasExpert: true, complexity: 'high' },
  ];
  for (const each of facts) {
    const { plan } = compilePipeline('task.yaml', taskFile(each, more), { read: () => undefined, list: () => [] });
    const coordinated = plan?.block.steps[0];
    const steps = coordinated?.kind === 'coordinate' ? coordinated.block.steps : [];
    const without = steps
      .filter(({ timeoutMs, blockedAfterMs }) => timeoutMs !== 420_000 && blockedAfterMs !== 420_000)
      .map(({ id }) => id);
    // The step that only passes the task on, and the one that helps.
    expect(without).toEqual(['work_task', 'work_rescue']);
  }
});

test.each([
  ['work_test', ''],
  ['work_tests', 'tests: {format: tap}\n'],
])('a test that hangs is one that fails, and its author mends it: %s', async (command, tests) => {
  const { calls } = await playTask(
    {},
    {
      replies: WORK,
      commands: { ...TASK, [command]: [{ round: 1, ...NEVER }, { stdout: '1..1\nok 1 - works' }] },
      more: `${tests}blocked_after: 2m`,
    },
  );
  expect([calls('work_impl'), calls('work_rescue_e')]).toEqual([2, 0]);
});

test('a delivery that goes on is not blocked, however long it takes in all', async () => {
  const tasks = ['a', 'b', 'c'].map((id, i, all) => ({ id, title: id, depends_on: i === 0 ? [] : [all[i - 1]] }));
  const replies = {
    ...{ ...DELIVERED, work_plan: [{ json: { tasks, summary: 'three' } }] },
    work_impl_executor: [{ after: '90s', json: { summary: 'done', findings: [], artifacts: [] } }],
  };
  const { view, calls } = await playTask(BIG, { replies, commands: GATES, more: 'blocked_after: 2m' });
  expect(view.state).toBe('completed');
  expect([calls('work_impl_executor'), calls('work_rescue_e')]).toEqual([3, 0]);
});

test('the repairs of an increment share its time', async () => {
  const red = { exit_code: 1 };
  const replies = {
    ...DELIVERED,
    ...UNSOLVED,
    work_impl_executor: [{ after: '50s', json: { summary: 'done', findings: [], artifacts: [] } }],
  };
  const played = await playTask(BIG, { replies, commands: { ...GATES, work_impl_no_regression: red }, more: 'blocked_after: 2m' });
  const called = firstStart(played, 'work_rescue') ?? 0;
  expect(called - (firstStart(played, 'work_impl_executor') ?? 0)).toBe(120_000);
  const fixes = played.journal.filter(
    (entry) => entry.kind === 'pattern' && entry.type === 'fix_required' && Date.parse(entry.at) <= called,
  );
  expect(fixes).toHaveLength(2);
});

describe('the bar of a task', () => {
  const tap = (passed: number, failed: number) =>
    `1..${passed + failed}\n${Array.from({ length: passed + failed }, (_, i) => `${i < passed ? 'ok' : 'not ok'} ${i + 1} - t${i + 1}`).join('\n')}\n`;
  const counted = (...outputs: string[]) => ({
    ...TASK,
    work_tests: outputs.map((stdout, i) => (i < outputs.length - 1 ? { round: i + 1, stdout } : { stdout })),
  });
  const TESTS = 'tests: {format: tap}';
  const NO_HELP = {
    work_rescue_e: UNSOLVED.work_rescue_e,
    work_rescue_lead: UNSOLVED.work_rescue_e,
    work_rescue_x: UNSOLVED.work_rescue_e,
  };

  test('95 % of its tests will do, if it reports them', async () => {
    const { view, calls } = await playTask({}, { replies: WORK, commands: counted(tap(19, 1)), more: TESTS });
    expect(view.state).toBe('completed');
    expect([calls('work_impl'), calls('work_rescue_e')]).toEqual([1, 0]);
  });

  test('fewer go back to the executor, who sees which fail, five times; then somebody helps, and a person decides', async () => {
    const { calls, steps } = await playTask({}, { replies: { ...WORK, ...NO_HELP }, commands: counted(tap(18, 2)), more: TESTS });
    expect(calls('work_impl')).toBe(6);
    expect(calls('work_rescue_e')).toBeGreaterThan(0);
    const asked = steps.get('work/work_impl')?.calls.map(({ text }) => text) ?? [];
    expect(asked[1]).toContain('t19');
  });

  test('a command that does not report its tests has to succeed, after five repairs at most', async () => {
    const { calls } = await playTask({}, { replies: { ...WORK, ...NO_HELP }, commands: { ...TASK, work_test: { exit_code: 1 } } });
    expect(calls('work_impl')).toBe(6);
    expect(calls('work_rescue_e')).toBeGreaterThan(0);
  });

  test.each([
    ['feature', 'low'],
    ['fix', 'low'],
    ['refactor', 'high'],
    ['research', 'medium'],
    ['feature', 'high'],
  ] as const)('without a test the tester judges the work, which goes back until it passes: %s, %s', async (taskType, complexity) => {
    const replies = {
      ...{ ...(complexity === 'high' && taskType === 'feature' ? DELIVERED : WORK), work_review: [{ round: 1, ...REVISE }, PASSES] },
    };
    const more = { replies, commands: TASK, without: 'test' as const };
    const { view, calls, steps } = await playTask({ taskType, complexity }, more);
    expect(view.state).toBe('completed');
    expect(calls('work_review')).toBe(2);
    expect([...steps.values()].some(({ path }) => path.endsWith('work_test'))).toBe(false);
  });
});
