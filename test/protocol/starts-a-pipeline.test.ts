import { shippedFiles } from '../programs/program-files';
import { runWhole, type WholeRun } from '../support/whole-run';

/** The CEO starts a pipeline without being blocked. */

const CHIEF = 'role: Leads.\nreports_to: human\ntools: [pipelines_start, sessions_spawn]\npipelines: [daily]\n';
const DAILY =
  'name: daily\nowner: lead\nargs: { market: { type: string, required: true }, key: { type: string, secret: true, default: secret://env/PATH } }\nsteps:\n  - {id: intel, agent: r}\n';
const files = { 'agents/chief.yaml': CHIEF, 'daily.yaml': DAILY };
const pipeline = 'owner: chief\nsteps:\n  - {id: morning, agent: chief, action: self}\n';
const start = (args = '{market: BTC/USDT}', name = 'daily') => `{tool: pipelines_start, args: {pipeline: ${name}, args: ${args}}}`;
const script = (calls: readonly string[], more = '') => `replies:
  morning: [{ask: 1, calls: [${calls.join(', ')}], text: on the way}]
${more}
`;
const refusals = async (run: WholeRun) =>
  (await run.journal()).flatMap((entry) => (entry.kind === 'tool' && entry.outcome === 'refused' ? [entry.reason] : []));
const opened = (run: WholeRun) => [...new Set(run.calls.filter(({ name }) => name === 'openRun').map(({ workflowId }) => workflowId))];
const done = async (run: WholeRun) => {
  await run.completes();
};
const withIntel = (calls: readonly string[]) => ({
  files: { ...files, 'daily.yaml': DAILY.replace('{id: intel, agent: r}', '{id: intel, run: "true"}') },
  script: script(calls),
});

it('the shipped CEO starts the quant pipeline, whose owner is given its task, and has no tool to spawn with', async () => {
  const run = runWhole(
    'owner: ceo_coo\nagents: { secretary: { role: Keeps the books. } }\nsteps:\n  - {id: morning, agent: ceo_coo, action: self}\n',
    {
      files: shippedFiles(),
      script: `replies:\n  morning: [{calls: [${start('{}', 'daily_quant_pipeline')}], text: on the way}]\n`,
    },
  );
  await done(run);
  const [, started] = opened(run);
  expect(started).toMatch(/^p-test\.morning\.daily_quant_pipeline-[0-9a-f]{10}$/);
  const [ceo] = run.requests;
  const intel = run.requests.find(({ stepId }) => stepId === 'intel');
  expect(ceo?.tools?.specs.map(({ name }) => name).sort()).toEqual([
    ...['escalate', 'notify', 'pipelines_start', 'sessions_history', 'sessions_list', 'sessions_send'],
  ]);
  expect(intel?.agent).toMatchObject({ id: 'finance_researcher' });
  const told = (await run.envelopes()).find(({ to }) => to === 'daily_quant_pipeline');
  expect(told).toMatchObject({ from: 'ceo_coo', intent: 'assign_task', payload: { run: started } });
});

describe('an agent of depth 0 starts a pipeline', () => {
  it('and is answered at once with the id of a run of its own, which the owner is given by assign_task', async () => {
    const run = runWhole(pipeline, withIntel([start()]));
    await done(run);
    const [, started] = opened(run);
    expect(started).toMatch(/^p-test\.morning\.daily-[0-9a-f]{10}$/);
    expect(
      run.requests
        .at(-1)
        ?.transcript()
        .findLast(({ role }) => role === 'tool')?.text,
    ).toContain(`"run":"${started}"`);
    const asked = (await run.envelopes()).find(({ to }) => to === 'daily');
    expect(asked).toMatchObject({ from: 'chief', intent: 'assign_task', payload: { run: started, args: { market: 'BTC/USDT' } } });
  });

  it('once for the same args, however often it asks, and again for others', async () => {
    const run = runWhole(pipeline, withIntel([start(), start(), start('{market: ETH/USDT}')]));
    await done(run);
    expect(opened(run)).toHaveLength(3);
  });

  it('within its list, its args and its limit; secrets are not its to give', async () => {
    const many = Array.from({ length: 6 }, (_, i) => start(`{market: m${i}}`));
    const bad = [
      start('{}', 'nightly'),
      start('{}'),
      start('{market: 1}'),
      start('{market: x, key: secret://env/HOME}'),
      start('{market: x, plan: {}}'),
    ];
    const run = runWhole(pipeline, withIntel([...bad, ...many]));
    await done(run);
    expect(await refusals(run)).toEqual([
      'you may not start "nightly"; you may start: daily',
      'wrong args for "daily": "market" is required',
      'wrong args for "daily": "market" must be of type string, got 1',
      'wrong args for "daily": "key" is a secret, which an agent cannot pass',
      'wrong args for "daily": "plan" is unknown; known: key, market',
      'you have called "pipelines_start" 5 times in this task already, which is the limit',
    ]);
    expect(opened(run)).toHaveLength(6);
  });

  it('but not the one that it runs in, nor over another one that was started from it', async () => {
    const circle = {
      'agents/chief.yaml': CHIEF.replace('[daily]', '[daily, p]'),
      'daily.yaml': 'name: daily\nsteps:\n  - {id: intel, agent: chief}\n',
    };
    const run = runWhole(pipeline, {
      files: circle,
      script: `replies:\n  morning: [{calls: [${start('{}', 'p')}, ${start('{}')}], text: on the way}]\n`,
    });
    await done(run);
    expect(await refusals(run)).toEqual(['"p" cannot start itself: this run belongs to it, or was started by one of its runs']);
    const inner = runWhole(pipeline, {
      files: circle,
      script: `replies:\n  morning: [{calls: [${start('{}')}], text: on the way}]\n`,
    });
    await done(inner);
    expect(opened(inner)).toHaveLength(2);
  });

  it('and no agent that is somebody’s child does', async () => {
    const run = runWhole(`agents: { w: agents/w.yaml }\n${pipeline}`, {
      files: { ...files, 'agents/w.yaml': CHIEF },
      script: script(
        ['{tool: sessions_spawn, args: {agent: w, task: look}}'],
        `  morning>w: [{calls: [${start()}], json: {summary: none, findings: [], artifacts: []}}]`,
      ),
    });
    await run.quiet();
    expect(opened(run)).toHaveLength(1);
    expect(await refusals(run)).toContain('only an agent of depth 0 starts pipelines; a child only answers its parent');
  });

  it('its end reaches the agent in its inbox before its next task, and is in the journal', async () => {
    const gated = `${pipeline}  - {id: go, type: approval, prompt: "Go on?", depends_on: [morning]}
  - {id: evening, agent: chief, action: self, depends_on: [go]}\n`;
    const run = runWhole(gated, { ...withIntel([start()]), script: `${script([start()])}  evening: [{text: good night}]\n` });
    await run.quiet();
    const [, started = ''] = opened(run);
    const reports = (await run.envelopes()).filter(({ from }) => from === 'daily');
    expect(reports).toMatchObject([
      { to: 'chief', intent: 'deliver_report', payload: { run: started, pipeline: 'daily', state: 'completed' } },
    ]);
    run.signal('approve', { by: 'chairman' });
    await done(run);
    const evening = run.requests.find(({ stepId }) => stepId === 'evening');
    expect(evening?.prompt).toContain(started);
    expect(evening?.prompt).toContain('completed');
  });

  it('one that fails is reported as well, and harms nobody', async () => {
    const gated = `${pipeline}  - {id: go, type: approval, prompt: "Go on?", depends_on: [morning]}\n`;
    const broken = DAILY.replace('{id: intel, agent: r}', '{id: intel, run: "exit 3"}');
    const run = runWhole(gated, { files: { ...files, 'daily.yaml': broken }, script: script([start()]) });
    await run.quiet();
    const reports = (await run.envelopes()).filter(({ from }) => from === 'daily');
    expect(reports).toMatchObject([{ payload: { state: 'failed', code: 'command.failed' } }]);
    run.signal('approve', { by: 'chairman' });
    await done(run);
  });

  it('a signal in its name makes the run look, and nothing more', async () => {
    const gated = `${pipeline}  - {id: go, type: approval, prompt: "Go on?", depends_on: [morning]}\n`;
    const waiting = DAILY.replace('{id: intel, agent: r}', '{id: intel, type: approval, prompt: "Look?"}');
    const run = runWhole(gated, { files: { ...files, 'daily.yaml': waiting }, script: script([start()]) });
    await run.quiet();
    const [, started = ''] = opened(run);
    run.signal('thermidor:child', { started, kind: 'ended', state: 'completed', output: { value: 1 } });
    await run.quiet();
    expect((await run.envelopes()).filter(({ from }) => from === 'daily')).toEqual([]);
    // A flood of signals costs one or two looks.
    const looks = () => run.calls.filter(({ name, workflowId }) => name === 'hear' && workflowId !== started).length;
    const before = looks();
    for (let i = 0; i < 300; i++) run.signal('thermidor:child', { started });
    await run.quiet();
    expect(looks() - before).toBeLessThanOrEqual(2);
    // The run that started the pipeline shows none of its gates.
    expect(run.status().gates.map(({ step }) => step)).toEqual(['go']);
  });
});
