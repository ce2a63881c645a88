import { compilePipeline } from '../../compiler/compile';
import { NO_INSTALLATION } from '../../compiler/installation';
import { LEVELS, select, TASK_TYPES } from '../../kinds/coordinate/rules/select';
import { NOBODY } from '../../plan/people/people';
import { stepsOfPlan } from '../../plan/steps/walk';
import { GREEN, PASSES, playTask, REVISE, TASK, taskFile, WORK } from './task-file';

/** A task file becomes a coordinate step (docs/patterns.md): the patterns of this step, and how they help each other. */
const NOTHING = { read: () => undefined, list: () => [] };

function planOf(text: string) {
  const compiled = compilePipeline('task.yaml', text, NOTHING);
  if (!compiled.plan) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.plan;
}

const kindsOf = (text: string) => new Map(stepsOfPlan(planOf(text)).map(({ id, kind }) => [id, kind]));

const EVERY_TASK = TASK_TYPES.flatMap((taskType) =>
  LEVELS.flatMap((complexity) =>
    LEVELS.flatMap((risk) => [true, false].map((hasExpert) => ({ taskType, complexity, risk, hasExpert, teamSize: 4 }))),
  ),
);

test.each(['escalate', 'swarm'])(
  'every task becomes the patterns that its facts select, and one that helps if it is blocked: %s',
  (onBlocked) => {
    for (const facts of EVERY_TASK) {
      const kinds = kindsOf(taskFile(facts, `on_blocked: ${onBlocked}`));
      const has = (pattern: string) => select(facts).some((one) => one.pattern === pattern);
      expect([facts, kinds.get('work_decide')]).toEqual([facts, has('CP-4') ? 'consensus' : undefined]);
      expect([facts, kinds.get('work_advise')]).toEqual([facts, has('CP-8') ? 'consult' : undefined]);
      expect([facts, kinds.get('work_impl')]).toEqual([facts, has('CP-6') ? 'increments' : 'agent']);
      // With CP-6 there is no separate review, because a validator judges each increment.
      expect([facts, kinds.get('work_review')]).toEqual([facts, has('CP-6') ? undefined : 'review']);
      expect([facts, kinds.get('work_rescue'), kinds.get('post_mortem')]).toEqual([facts, onBlocked, 'post_mortem']);
    }
  },
);

test.each(['escalate', 'swarm'])('every task compiles if the settings list people, none of whom is called human: %s', (onBlocked) => {
  const directory = { ...NOBODY, people: { ann: {} } };
  for (const facts of EVERY_TASK) {
    const text = taskFile(facts, `on_blocked: ${onBlocked}`);
    const compiled = compilePipeline('task.yaml', text, NOTHING, { installation: { ...NO_INSTALLATION, directory } });
    expect([facts, compiled.diagnostics]).toEqual([facts, []]);
  }
});

test('what is delivered in increments lands if the file says so, and nothing else does', () => {
  const [feature, fix] = [{ taskType: 'feature', complexity: 'high' }, { taskType: 'fix' }] as const;
  expect(kindsOf(taskFile(feature, 'into: main')).get('work_land')).toBe('merge');
  expect(kindsOf(taskFile(feature)).has('work_land')).toBe(false);
  expect(kindsOf(taskFile(fix, 'into: main')).has('work_land')).toBe(false);
});

test('what is planned and accepted is carried out, tested and judged, and nothing else is asked of anybody', async () => {
  const { view, calls } = await playTask({}, { replies: WORK, commands: GREEN });
  expect(view.state).toBe('completed');
  expect(['work_plan', 'work_plan_ok', 'work_impl', 'work_test', 'work_review'].map(calls)).toEqual([1, 1, 1, 1, 1]);
  expect(calls('work_rescue_e')).toBe(0);
});

test.each(['feature', 'fix', 'refactor', 'research'] as const)(
  'the tester judges work whose tests are green as well, and it goes back with what is found, and is tested again: %s',
  async (taskType) => {
    const critical = { json: { verdict: 'CONDITIONAL', issues: [{ severity: 'critical', description: 'a key is logged' }] } };
    const replies = {
      ...WORK,
      work_impl: [
        { round: 1, text: 'done' },
        { prompt: ['a key is logged'], text: 'mended' },
      ],
    };
    const judged = { work_review: [{ round: 1, ...critical }, PASSES] };
    const { view, calls } = await playTask({ taskType }, { replies: { ...replies, ...judged }, commands: GREEN });
    expect(view.state).toBe('completed');
    expect(['work_impl', 'work_test', 'work_review'].map(calls)).toEqual([2, 2, 2]);
  },
);

test('the team looks back on every task, and a file may say otherwise', () => {
  const asked = (more = '') => stepsOfPlan(planOf(taskFile({}, more))).find(({ kind }) => kind === 'post_mortem');
  expect(asked()).toMatchObject({ occasion: 'always' });
  expect(asked('post_mortem: {when: notable}')).toMatchObject({ occasion: 'notable' });
  expect(asked('post_mortem: false')).toBeUndefined();
});

test('a plan that the coordinator sends back is made again', async () => {
  const { calls } = await playTask({}, { replies: { ...WORK, work_plan_ok: [{ round: 1, ...REVISE }, PASSES] }, commands: GREEN });
  expect([calls('work_plan'), calls('work_impl')]).toEqual([2, 1]);
});

test('a plan that is rejected three times is for those who help', async () => {
  const { calls } = await playTask({}, { replies: { ...WORK, work_plan_ok: [REVISE] }, commands: GREEN });
  expect([calls('work_plan'), calls('work_plan_ok'), calls('work_impl')]).toEqual([3, 3, 0]);
  expect(calls('work_rescue_e')).toBeGreaterThan(0);
});

test('a phase that is blocked calls the escalation, and goes on once that has solved it', async () => {
  const red = (round: number) => ({ round, try: 1, exit_code: 1 });
  const { view, calls, journal } = await playTask(
    {},
    {
      replies: { ...WORK, work_rescue_e: [{ json: { solved: true, solution: 'a lock was left', diagnosis: 'a lock' } }] },
      commands: { ...TASK, work_test: [...[1, 2, 3, 4, 5, 6].map(red), { stdout: 'ok' }], work_rescue_check: [{ stdout: 'ok' }] },
    },
  );
  expect(view.state).toBe('completed');
  expect([calls('work_impl'), calls('work_rescue_e')]).toEqual([6, 1]);
  // A reader of the journal sees what has failed, and who helps.
  expect(journal).toContainEqual(
    expect.objectContaining({
      ...{ kind: 'step', step: expect.stringMatching(/^work\/work_test/), state: 'waiting', reason: 'calls work_rescue' },
      error: expect.objectContaining({ code: 'command.failed' }),
    }),
  );
});

describe('if a level finds that the plan itself is wrong', () => {
  const helps = (...x: unknown[]) => ({
    ...WORK,
    work_rescue_e: [{ json: { solved: false, diagnosis: 'it stays red' } }],
    work_rescue_x: x,
  });
  const ROOT_CAUSE = { json: { solved: false, diagnosis: 'a circle', root_cause: 'the plan needs a circle of modules' } };
  const red = (round: number) => ({ round, try: 1, exit_code: 1 });
  const RED = { ...TASK, work_test: { exit_code: 1 }, work_rescue_check: { exit_code: 1 } };

  test('the task is planned again, with what was found, and carried out by that plan', async () => {
    const plans = [
      { round: 1, text: 'first plan' },
      { prompt: ['a circle of modules'], text: 'second plan' },
    ];
    const replies = { ...helps(ROOT_CAUSE), work_plan: plans };
    const commands = { ...TASK, work_test: [...[1, 2, 3, 4, 5, 6].map(red), { stdout: 'ok' }] };
    const { view, calls, steps } = await playTask({}, { replies, commands });
    expect(view.state).toBe('completed');
    expect([calls('work_plan'), calls('work_plan_ok'), calls('work_impl')]).toEqual([2, 2, 7]);
    expect(steps.get('work/work_impl')?.calls.at(-1)?.text).toContain('second plan');
  });

  test('and is found again, a person decides', async () => {
    const { view, calls } = await playTask({}, { replies: helps(ROOT_CAUSE), commands: RED });
    expect(view.gates).toMatchObject([{ kind: 'escalation', question: expect.stringContaining('a circle of modules') }]);
    expect(calls('work_plan')).toBe(2);
  });
});

test('a file that has steps of its own is no task file', () => {
  const compiled = compilePipeline('task.yaml', `${taskFile({})}\nsteps: [{id: a, run: "true"}]\n`, NOTHING);
  expect(compiled.diagnostics.map(({ code }) => code)).toContain('shape.unknown-key');
});

test('a delivery that cannot begin is blocked as any phase is: the escalation is called', async () => {
  const replies = {
    work_plan: [{ json: { summary: 'a plan without tasks' } }],
    work_plan_ok: [PASSES],
    work_rescue_e: [{ json: { solved: true, solution: 'look again', diagnosis: 'no tasks' } }],
  };
  const { calls } = await playTask(
    { taskType: 'feature', complexity: 'high' },
    { replies, commands: { ...TASK, work_rescue_check: [{ stdout: 'ok' }] } },
  );
  expect(calls('work_rescue_e')).toBeGreaterThan(0);
});

describe('the plan that the vote is on is the one that is carried out', () => {
  const tasks = (...ids: string[]) => ids.map((id) => ({ id, title: `Task ${id}` }));
  const vote = (word: string) => ({ json: { vote: word, rationale: 'It is so.' } });
  const later = (word: string) => [{ iteration: 1, ...vote('REJECT') }, vote(word)];
  const votesOf = (word: string) => ({ work_decide_p: later(word), work_decide_e: later(word), work_decide_t: later(word) });
  const delivers = (plan: string, voted: string) => ({
    ...{ work_plan: [{ json: { tasks: tasks(plan), summary: 'one' } }], work_plan_ok: [PASSES] },
    ...{ ...votesOf(voted), work_impl_validator: [PASSES] },
    work_impl_executor: [{ json: { summary: 'done', findings: [], artifacts: [] } }],
  });
  const gates = { ...TASK, work_impl_no_regression: { stdout: 'ok' }, work_impl_final: { stdout: 'ok' } };
  const increments = { taskType: 'feature', complexity: 'high', risk: 'high' } as const;
  /** All questions to the agents of a step. */
  const askedOf = ({ steps }: Awaited<ReturnType<typeof playTask>>, step: string) =>
    [...steps.values()].filter(({ path }) => path.endsWith(step)).flatMap(({ calls }) => calls.map(({ text }) => text));
  const ofRevised = [expect.not.stringContaining('Task rejected')];
  const revised = { tasks: tasks('revised'), summary: 'better' };

  test.each([
    ['an object', { title: 'Better', context: revised }],
    ['its tasks alone', { title: 'Better', context: revised.tasks }],
    ['a text', { title: 'Better', context: JSON.stringify(revised) }],
    ['tasks next to the context', { title: 'Better', context: 'They objected to the first.', ...revised }],
    ['tasks without a context', { title: 'Better', ...revised }],
  ])('in increments, where it is revised as %s', async (_, proposal) => {
    const replies = { ...delivers('rejected', 'APPROVE'), work_decide_revise: [{ json: proposal }] };
    const played = await playTask(increments, { replies, commands: gates });
    expect(played.view.state).toBe('completed');
    expect(played.calls('work_decide_revise')).toBe(1);
    expect(askedOf(played, 'work_impl_executor')).toEqual([expect.stringContaining('Task revised')]);
    expect(askedOf(played, 'work_impl_executor')).toEqual(ofRevised);
  });

  test('in increments, if all abstain on the revised plan and the owner decides', async () => {
    const replies = {
      ...{ ...delivers('rejected', 'ABSTAIN'), work_decide_revise: [{ json: { title: 'Better', context: revised } }] },
      work_decide_default: [vote('APPROVE')],
    };
    const played = await playTask(increments, { replies, commands: gates });
    expect(played.view.state).toBe('completed');
    expect(askedOf(played, 'work_impl_executor')).toEqual([expect.stringContaining('Task revised')]);
    expect(askedOf(played, 'work_impl_executor')).toEqual(ofRevised);
  });

  test('in increments, if it never passes and a person lets the revised one through', async () => {
    const replies = { ...delivers('rejected', 'REJECT'), work_decide_revise: [{ json: { title: 'Better', context: revised } }] };
    const people = [{ gate: 'work_decide', after: '1h', approve: { by: 'ann', comment: 'Do it.' } }];
    const played = await playTask(increments, { replies, commands: gates, people });
    expect(played.view.state).toBe('completed');
    expect(askedOf(played, 'work_impl_executor')).toEqual([expect.stringContaining('Task revised')]);
    expect(askedOf(played, 'work_impl_executor')).toEqual(ofRevised);
  });

  test('in increments, if it passes as it was planned', async () => {
    const votes = { work_decide_p: [vote('APPROVE')], work_decide_e: [vote('APPROVE')], work_decide_t: [vote('APPROVE')] };
    const { view, calls } = await playTask(increments, { replies: { ...delivers('revised', 'APPROVE'), ...votes }, commands: gates });
    expect(view.state).toBe('completed');
    expect([calls('work_decide_revise'), calls('work_impl_executor')]).toEqual([0, 1]);
  });

  test('by one executor, who does not see what was rejected', async () => {
    const replies = {
      ...{ work_plan: [{ text: 'the rejected way' }], work_plan_ok: [PASSES], ...votesOf('APPROVE') },
      work_decide_revise: [{ json: { title: 'Better', context: 'the revised way' } }],
      ...{ work_impl: [{ text: 'done' }], work_review: [PASSES] },
    };
    const played = await playTask({ risk: 'high' }, { replies, commands: GREEN });
    expect(played.view.state).toBe('completed');
    expect(askedOf(played, 'work_impl')).toEqual([expect.stringContaining('the revised way')]);
    expect(askedOf(played, 'work_impl')).toEqual([expect.not.stringContaining('the rejected way')]);
  });

  const BAD: [string, unknown, string][] = [
    ['has no tasks', { title: 'Better', context: 'Just do less.' }, 'context cannot be delivered in increments: it is not a list of tasks'],
    ['has nothing at all', { title: 'Better' }, 'context cannot be delivered in increments: it is not a list of tasks'],
    ['has an empty list', { title: 'Better', context: { tasks: [] } }, 'it has no tasks'],
    ['has a task without an id', { title: 'Better', tasks: [{ title: 'A' }] }, 'task 1 has no "id"'],
    ['waits for itself', { title: 'Better', context: [{ id: 'a', depends_on: ['a'] }] }, 'tasks wait for each other: a → a'],
  ];
  test.each(BAD)('a revised proposal that %s is asked for again, and the request says what is wrong', async (_, proposal, reason) => {
    const work_decide_revise = [{ try: 1, text: JSON.stringify(proposal) }, { json: { title: 'Better', context: revised } }];
    const played = await playTask(increments, { replies: { ...delivers('rejected', 'APPROVE'), work_decide_revise }, commands: gates });
    expect(played.view.state).toBe('completed');
    // The calls are the first one, a repair, and one by a fresh agent.
    expect([played.calls('work_decide_revise'), played.calls('work_rescue_e')]).toEqual([3, 0]);
    expect(askedOf(played, 'work_decide_revise')[1]).toContain(reason);
    expect(askedOf(played, 'work_impl_executor')).toEqual([expect.stringContaining('Task revised')]);
  });

  test.each(['low', 'high'] as const)('a plan without tasks is asked for again where it is to be delivered: risk %s', async (risk) => {
    const work_plan = [{ try: 1, json: { summary: 'a plan without tasks' } }, { json: { tasks: tasks('revised'), summary: 'one' } }];
    const replies = { ...delivers('revised', 'APPROVE'), work_decide_revise: [{ json: { title: 'Better', context: revised } }], work_plan };
    const { work_decide_p: p, work_decide_e: e, work_decide_t: t, work_decide_revise: r, ...unvoted } = replies;
    const votes = risk === 'high' ? { work_decide_p: p, work_decide_e: e, work_decide_t: t, work_decide_revise: r } : {};
    const played = await playTask({ ...increments, risk }, { replies: { ...unvoted, ...votes }, commands: gates });
    expect(played.view.state).toBe('completed');
    expect([played.calls('work_plan'), played.calls('work_rescue_e')]).toEqual([3, 0]);
    expect(askedOf(played, 'work_plan')[1]).toContain(
      `${risk === 'low' ? 'tasks' : 'the reply'} cannot be delivered in increments: it is not a list of tasks`,
    );
  });

  test('a revised proposal that is not a plan is blocked, and the rejected one is not delivered', async () => {
    const replies = {
      ...{ ...delivers('rejected', 'APPROVE'), work_decide_revise: [{ json: { title: 'Better', context: 'Just do less.' } }] },
      work_rescue_e: [{ json: { solved: false, diagnosis: 'no tasks', attempted: [] } }],
    };
    const { calls } = await playTask(increments, { replies, commands: gates });
    expect(calls('work_impl_executor')).toBe(0);
    expect(calls('work_rescue_e')).toBeGreaterThan(0);
  });
});
