import { compilePipeline } from '../../compiler/compile';
import { NO_INSTALLATION } from '../../compiler/installation';
import { LEVELS, select, TASK_TYPES } from '../../plan/patterns/select';
import { NOBODY } from '../../plan/people/people';
import { stepsOfPlan } from '../../plan/steps/walk';
import { GREEN, PASSES, playTask, REVISE, TASK, taskFile, WORK } from './task-file';

/** A task file, and the coordinate step that it is (patterns.md): which patterns it becomes, and how these help each other. */
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
  'every task becomes the patterns that its facts select, and one that helps where it is blocked: %s',
  (onBlocked) => {
    for (const facts of EVERY_TASK) {
      const kinds = kindsOf(taskFile(facts, `on_blocked: ${onBlocked}`));
      const has = (pattern: string) => select(facts).some((one) => one.pattern === pattern);
      expect([facts, kinds.get('work_decide')]).toEqual([facts, has('CP-4') ? 'consensus' : undefined]);
      expect([facts, kinds.get('work_advise')]).toEqual([facts, has('CP-8') ? 'consult' : undefined]);
      expect([facts, kinds.get('work_impl')]).toEqual([facts, has('CP-6') ? 'increments' : 'agent']);
      expect([facts, kinds.get('work_review')]).toEqual([facts, has('CP-2') ? 'review' : undefined]);
      expect([facts, kinds.get('work_rescue'), kinds.get('post_mortem')]).toEqual([facts, onBlocked, 'post_mortem']);
    }
  },
);

test.each(['escalate', 'swarm'])('every task compiles where the settings list people, none of whom is called human: %s', (onBlocked) => {
  const directory = { ...NOBODY, people: { ann: {} } };
  for (const facts of EVERY_TASK) {
    const text = taskFile(facts, `on_blocked: ${onBlocked}`);
    const compiled = compilePipeline('task.yaml', text, NOTHING, { installation: { ...NO_INSTALLATION, directory } });
    expect([facts, compiled.diagnostics]).toEqual([facts, []]);
  }
});

test('what is delivered in increments lands where the file says so, and nothing else does', () => {
  const [feature, fix] = [{ taskType: 'feature', complexity: 'high' }, { taskType: 'fix' }] as const;
  expect(kindsOf(taskFile(feature, 'into: main')).get('work_land')).toBe('merge');
  expect(kindsOf(taskFile(feature)).has('work_land')).toBe(false);
  expect(kindsOf(taskFile(fix, 'into: main')).has('work_land')).toBe(false);
});

test('what is planned and accepted is carried out and tested, and nothing else is asked of anybody', async () => {
  const { view, calls } = await playTask({}, { replies: WORK, commands: GREEN });
  expect(view.state).toBe('completed');
  expect(['work_plan', 'work_plan_ok', 'work_impl', 'work_test'].map(calls)).toEqual([1, 1, 1, 1]);
  expect(calls('work_rescue_e')).toBe(0);
});

test('a plan that the coordinator sends back is made again', async () => {
  const { calls } = await playTask({}, { replies: { ...WORK, work_plan_ok: [{ round: 1, ...REVISE }, PASSES] }, commands: GREEN });
  expect([calls('work_plan'), calls('work_impl')]).toEqual([2, 1]);
});

test('a phase that is blocked calls the escalation, and goes on once that has solved it', async () => {
  const red = (round: number) => ({ round, try: 1, exit_code: 1 });
  const { view, calls } = await playTask(
    {},
    {
      replies: { ...WORK, work_rescue_e: [{ json: { solved: true, solution: 'a lock was left', diagnosis: 'a lock' } }] },
      commands: { ...TASK, work_test: [red(1), red(2), red(3), red(4), { stdout: 'ok' }], work_rescue_check: [{ stdout: 'ok' }] },
    },
  );
  expect(view.state).toBe('completed');
  expect([calls('work_impl'), calls('work_rescue_e')]).toEqual([4, 1]);
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
