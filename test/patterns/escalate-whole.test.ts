import { runWhole } from '../support/whole-run';

/** Escalations with the real activities and stores: the questions to agents, and the effect of their answers. */
const PIPELINE = `owner: lead
steps:
  - {id: build, run: "test -e mended || { echo red >&2; exit 3; }", cwd: CWD, on_error: escalate(rescue)}
  - id: rescue
    type: escalate
    levels: [{agent: w, attempts: 1}, r]
    solved_when: {run: test -e mended}
output: rescue
`;

describe('a whole escalation', () => {
  it('CP-5 · workflow · each level reads what those before have found, and the first agent what it is to carry out', async () => {
    const run = runWhole(PIPELINE.replace('CWD', '/'), {
      files: {},
      script: `replies:
  rescue_w: [{json: {solved: false, diagnosis: the disk is full, tried: [deleted a log]}}]
  rescue_r: [{json: {solved: false, diagnosis: the log grows, recommendation: rotate it}}]
  rescue_apply: [{json: {solved: true, diagnosis: it rotates}}]
`,
    });
    await run.quiet(() => run.status().gates.length > 0);
    const asked = (step: string) => run.requests.find(({ stepId }) => stepId.includes(step))?.prompt ?? '';
    expect(asked('rescue_w')).toContain('step build failed: command.failed');
    expect(asked('rescue_r')).toContain('deleted a log');
    expect(asked('rescue_apply')).toContain('rotate it');
    // The agent says that the issue is solved, and the command does not confirm it. A person is asked, who sees everything.
    expect(run.status().gates).toMatchObject([{ step: 'rescue[4]/rescue_person', question: expect.stringContaining('step build failed') }]);
  });

  it('CP-5 · entry · an answer of another shape is asked for again', async () => {
    const run = runWhole('owner: lead\nsteps:\n  - {id: rescue, type: escalate, issue: It is red., levels: [w]}\noutput: rescue\n', {
      script: `replies:
  rescue_w: [{ask: 1, json: {solved: "yes", diagnosis: found}}, {ask: 2, json: {solved: true, diagnosis: found}}]
`,
    });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({
      output: { outcome: 'solved', level: 0, by: 'w', issue: 'It is red.', solution: 'found' },
    });
  });
});
