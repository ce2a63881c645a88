import { briefWith, SHAPES } from '../brief/openwar-briefs';
import { inSweep } from '../support/sweep';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';

/** `thermidor brief …` on a real server: what a ceiling holds is gone on with, and nothing is asked twice. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
  // It works for all commands, which would each start and stop a worker otherwise.
  await scratch.follow('up').untilLine(/^Ctrl-C stops/);
}, SET_UP_MS);
afterAll(() => scratch.close());

const RUN = 'site-2031-05-17-A1';
const BRIEF = `---
project: site
brief_id: 2031-05-17-A1
mode: auto
roles: [planner, executor]
---
# Objective
A page.
# Deliverables
- a page
# Constraints
None.
`;
const SUB_TASK = { id: 'page', title: 'Write the page', instruction: 'Push the branch to origin.', acceptance_criteria: ['It is there'] };
const used = { input_tokens: 1000, output_tokens: 1000 };
const REPLIES = {
  brief_planner: [{ usage: used, json: { kind: 'plan', subtasks: [SUB_TASK] } }],
  brief_executor: [{ usage: used, json: { kind: 'execution', subtask_id: 'page', output: 'Here.' } }],
};

const brief = (...words: string[]) => scratch.ask('brief', ...words);

interface Shown {
  state: string;
  gates: { step: string; kind: string }[];
  steps: { brief?: { calls: number; briefId: string } }[];
}
const shown = () => scratch.json<Shown>('status', RUN);

test('plan, a ceiling before each role, an edited file, and the end: two calls in all', async () => {
  const file = scratch.write('site.md', BRIEF);
  scratch.write('scripts/site.yaml', JSON.stringify({ replies: REPLIES }));
  const planned = readJson<{ run: string; sub_tasks: unknown[]; warnings: object[] }>(
    await brief('plan', file, '--script', 'site', '--json'),
  );
  expect(planned).toMatchObject({ sub_tasks: [SUB_TASK], warnings: [{ sub_task: 'page', category: 'git_push' }] });
  expect(planned.run).toMatch(/^site-plan-/);

  expect(await brief('run', file, '--script', 'site', '--max-tokens', '1')).toMatchObject({ code: 3 });
  expect(await brief('run', file, '--script', 'site')).toMatchObject({ code: 2, err: expect.stringContaining(`brief resume ${RUN}`) });
  scratch.write('site.md', BRIEF.replace('A page.', 'Another page.'));
  expect(await brief('resume', '2031-05-17-A1', '--max-tokens', '2000')).toMatchObject({
    code: 3,
    err: expect.stringContaining('edits do not affect it'),
  });
  const held = await shown();
  expect(held.gates).toMatchObject([{ kind: 'budget', step: expect.stringContaining('brief_executor') }]);
  expect(held.steps.find((step) => step.brief)?.brief).toMatchObject({ calls: 1, briefId: '2031-05-17-A1' });
  for (const [flag, value, why] of [
    ['--max-tokens', '1999', '2000, of which 2000 are spent'],
    ['--max-minutes', '19', '20, of which 0 are spent'],
  ] as const)
    expect(await brief('resume', RUN, flag, value)).toMatchObject({ code: 2, err: expect.stringContaining(why) });
  expect((await shown()).gates).toEqual(held.gates);
  expect(await brief('resume', RUN, '--max-tokens', '120000', '--max-minutes', '40')).toMatchObject({ code: 0 });
  const done = await shown();
  expect([done.state, done.steps.find((step) => step.brief)?.brief?.calls]).toEqual(['completed', 2]);

  expect(await brief('resume', RUN)).toMatchObject({ code: 1, err: expect.stringContaining('thermidor rerun') });
  expect(await scratch.ask('run', file, '--script', 'site')).toMatchObject({ code: 2, err: expect.stringContaining('brief.ended') });
  expect(await scratch.json('brief', 'list')).toMatchObject({ briefs: [{ run: RUN, state: 'completed', phase: 4 }] });
}, 120_000);

test('resume says first that a run is no brief’s, also if it has ended', async () => {
  scratch.write('pipelines/hello.yaml', 'name: hello\nsteps: [{id: hello, run: echo hello}]\n');
  expect(await scratch.ask('run', 'hello')).toMatchObject({ code: 0 });
  expect(await brief('resume', 'hello', '--max-tokens', '1')).toMatchObject({ code: 2, err: expect.stringContaining('brief.not-a-brief') });
}, 60_000);

inSweep.test(
  '--no-shell takes the shell from a brief that authorises everything, and --no-operator the person who might allow it',
  async () => {
    const briefOf = (project: string, costs: string) =>
      scratch.write(
        `${project}.md`,
        BRIEF.replace('project: site', `project: ${project}\nauthorized_costs: [${costs}]`).replace(/brief_id.*\n/, ''),
      );
    const [free, poor] = [briefOf('free', '"*"'), briefOf('poor', '')];
    const calls = [{ tool: 'run', args: { argv: ['sh', '-c', `echo made >> '${scratch.path('made')}'`] } }];
    const [execution] = REPLIES.brief_executor;
    scratch.write('scripts/shell.yaml', JSON.stringify({ replies: { ...REPLIES, brief_executor: [{ ...execution, calls }] } }));
    const run = (...args: string[]) => brief('run', ...args, '--script', 'shell');
    // A ceiling holds it before the executor is asked, and what resumes it has no flag to say it again.
    const held = await run(free, '--no-shell', '--max-tokens', '2000');
    expect(held).toMatchObject({ code: 3 });
    expect(await brief('resume', 'free', '--max-tokens', '120000')).toMatchObject({ code: 0 });
    expect(await run(poor, '--no-operator')).toMatchObject({ code: 0 });
    expect(scratch.lines('made')).toEqual([]);
    expect(await run(poor)).toMatchObject({ code: 3, out: expect.stringContaining('needs shell_exec') });
    expect(await run(free)).toMatchObject({ code: 0 });
    expect(scratch.lines('made')).toEqual(['made']);
  },
  120_000,
);

test('briefs such as the examples of openwar start unchanged, with a script in place of agents', async () => {
  const judge = { json: { kind: 'review', subtask_id: 'page', verdict: 'pass', rationale: 'ok' } };
  const replies: Record<string, object[]> = {
    ...REPLIES,
    brief_reviewer: [judge],
    brief_critic: [judge],
    brief_agent: [{ text: 'Done.' }],
  };
  for (const [at, [what, head, roles]] of SHAPES.entries()) {
    const asked = roles.map((role) => [`brief_${role}`, replies[`brief_${role}`]]);
    scratch.write(`scripts/shape-${at}.yaml`, JSON.stringify({ replies: Object.fromEntries(asked) }));
    const file = scratch.write(`shape-${at}.md`, briefWith(head));
    expect([what, await brief('run', file, '--script', `shape-${at}`, '--mode', 'auto')]).toMatchObject([what, { code: 0 }]);
  }
}, 180_000);
