import { type Played, playShipped } from './shipped-play';

/** The stages of the shipped pipeline run in sequence (docs/patterns.md, CP-1): tests the effect of a stage that fails. */
const play = (keys: Record<string, unknown> = {}): Promise<Played> => playShipped('linear-delivery', keys);

const report = (verdict: 'pass' | 'revise' | 'block', ...severities: string[]) => ({
  json: {
    ...{ date: '2026-04-10', reviewed_artifact: 'It', verdict, score: 0.5, summary: 'So it is.' },
    issues: severities.map((severity) => ({ severity, field: 'a.ts:1', description: 'It is wrong.', suggestion: 'Put it right.' })),
    ...(verdict === 'revise' ? { revise_target: 'executor' } : {}),
  },
});
const plans = (verdict: 'pass' | 'revise' | 'block') => {
  const { json } = report(verdict, verdict === 'pass' ? 'minor' : 'major');
  return { json: { ...json, ...(verdict === 'revise' ? { revise_target: 'planner' } : {}) } };
};
const ALL_WELL = { plan_ok: [plans('pass')], code_review: [report('pass')] };

/** The output of tests, of which `passed` pass and `failed` fail. */
const tap = (passed: number, failed: number) => {
  const lines = Array.from({ length: passed + failed }, (_, n) => `${n < passed ? 'ok' : 'not ok'} ${n + 1} - test ${n + 1}`);
  return { stdout: `1..${passed + failed}\n${lines.join('\n')}\n` };
};
const stateOf = ({ steps }: Played, step: string) => steps.get(step)?.state;

test('CP-1 · entry · a stage begins with the output of the one before it', async () => {
  const { steps, starts } = await play({ replies: ALL_WELL });
  expect(starts.slice(0, 3)).toEqual(['plan', 'plan_ok', 'impl']);
  expect(JSON.stringify(steps.get('impl')?.calls)).toContain('Uploads that time out are tried again.');
});

test('CP-1 · roles · the planner plans, the executor makes, the tester judges, the coordinator accepts and reports', async () => {
  const { view } = await play({ replies: ALL_WELL });
  const by = Object.fromEntries(view.steps.map((step) => [step.id, 'agent' in step ? step.agent : undefined]));
  expect(by).toMatchObject({ plan: 'planner', plan_ok: 'coordinator', impl: 'executor', code_review: 'tester', report: 'coordinator' });
});

test('CP-1 · workflow · tests and review begin at the same moment after the code, and the report is last', async () => {
  const { starts } = await play({ replies: ALL_WELL });
  expect(starts.slice(2)).toEqual([
    'impl',
    'check',
    expect.stringMatching(/first_tests$/),
    expect.stringMatching(/code_review$/),
    'report',
  ]);
});

test('CP-1 · success · if every stage succeeds, each is done once', async () => {
  const { view, calls, steps } = await play({ replies: ALL_WELL });
  expect(view.state).toBe('completed');
  for (const step of ['plan', 'plan_ok', 'impl', 'first_tests', 'code_review', 'report']) expect(calls(step)).toBe(1);
  for (const step of ['own_plan', 'fix_task', 'fix_review', 'green']) expect(steps.get(step)?.state).toBe('skipped');
});

describe('a plan that is rejected', () => {
  test('CP-1 · fallbacks · a rejected plan is made again, with what was found', async () => {
    const played = await play({ replies: { ...ALL_WELL, plan_ok: [{ round: 1, ...plans('revise') }, plans('pass')] } });
    expect(played.calls('plan')).toBe(2);
    expect(JSON.stringify(played.steps.get('plan')?.calls.at(1))).toContain('Put it right.');
    expect(stateOf(played, 'own_plan')).toBe('skipped');
  });

  test('CP-1 · fallbacks · after three rejections of the plan the coordinator plans, and the executor carries that out', async () => {
    const played = await play({ replies: { ...ALL_WELL, plan_ok: [plans('revise')] } });
    expect([played.calls('plan'), played.calls('own_plan'), played.gates]).toEqual([3, 1, []]);
    expect(JSON.stringify(played.steps.get('impl')?.calls)).toContain('An upload that times out is tried once more.');
    expect(played.view.state).toBe('completed');
  });

  test('CP-1 · fallbacks · a plan that is blocked is the coordinator’s at once', async () => {
    const played = await play({ replies: { ...ALL_WELL, plan_ok: [plans('block')] } });
    expect([played.calls('plan'), played.calls('own_plan')]).toEqual([1, 1]);
  });
});

describe('tests that fail', () => {
  const failing = (commands: Record<string, unknown>, keys = {}) => play({ replies: ALL_WELL, commands, ...keys });

  test.each([
    [19, 0],
    [18, 5],
  ])('CP-1 · fallbacks · from 95 per cent of passing tests on nothing is mended: %i of 20', async (passed, repairs) => {
    const tests = tap(passed, 20 - passed);
    const people = [{ gate: 'green', approve: { by: 'ann' } }];
    expect((await failing({ first_tests: tests, tests }, { people })).calls('repair')).toBe(repairs);
  });

  test('CP-1 · fallbacks · failing tests are mended until 95 per cent pass', async () => {
    const played = await failing({ first_tests: tap(1, 1), tests: [{ iteration: 1, ...tap(2, 1) }, tap(20, 1)] });
    expect([played.calls('repair'), played.view.state, played.gates]).toEqual([2, 'completed', []]);
    expect(JSON.stringify(played.steps.get('green[2]/repair')?.calls)).toContain('test 3');
  });

  test('CP-1 · fallbacks · after five rounds of failing tests a person decides', async () => {
    const commands = { first_tests: tap(1, 1), tests: tap(1, 1) };
    const waiting = await failing(commands, { people: [] });
    expect([waiting.calls('repair'), waiting.view.state, waiting.gates.map(({ step }) => step)]).toEqual([5, 'waiting', ['green']]);
    const passed = await failing(commands, { people: [{ gate: 'green', approve: { by: 'ann' } }] });
    expect([passed.view.state, passed.calls('report')]).toEqual(['completed', 1]);
    const rejected = await failing(commands, { people: [{ gate: 'green', reject: { by: 'ann', comment: 'No.' } }] });
    expect([rejected.view.state, rejected.calls('report')]).toEqual(['rejected', 0]);
  });
});

describe('a critical finding', () => {
  const found = { ...ALL_WELL, code_review: [report('revise', 'critical')] };

  test('CP-1 · fallbacks · a critical finding is a task of its own for the executor, reviewed, and tested again', async () => {
    const played = await play({ replies: found });
    expect([played.calls('fix_task'), played.calls('fix_review'), played.calls('tests'), played.calls('repair')]).toEqual([1, 1, 1, 0]);
    expect(JSON.stringify(played.steps.get('fix_task')?.calls)).toContain('Put it right.');
  });

  test('CP-1 · fallbacks · a fix that does not pass comes back five times, then a person decides', async () => {
    const fewer = [6, 5, 4, 3, 2, 1].map((left, i) => ({ round: i + 1, ...report('revise', ...Array(left).fill('critical')) }));
    const played = await play({ replies: { ...found, fix_review: fewer }, people: [] });
    expect([played.calls('fix_task'), played.gates.map(({ step }) => step)]).toEqual([6, ['fix_review#6']]);
  });

  test('CP-1 · fallbacks · if two rounds bring no fewer findings a person decides', async () => {
    const played = await play({ replies: { ...found, fix_review: [report('revise', 'critical')] }, people: [] });
    expect([played.calls('fix_task'), played.gates.map(({ step }) => step)]).toEqual([3, ['fix_review#3']]);
  });
});

test('CP-1 · cancel · no further stage begins', async () => {
  const { view, starts } = await play({ replies: ALL_WELL, people: [{ at: '500ms', cancel: {} }] });
  expect([view.state, starts]).toEqual(['cancelled', ['plan']]);
});

test('CP-1 · pause · no stage begins meanwhile', async () => {
  const people = [{ at: '500ms', pause: { by: 'ann' } }];
  const paused = await play({ replies: ALL_WELL, people });
  expect([paused.view.state, paused.starts]).toEqual(['paused', ['plan']]);
  const { view } = await play({ replies: ALL_WELL, people: [...people, { at: '2h', unpause: { by: 'ann' } }] });
  expect(view.state).toBe('completed');
});
