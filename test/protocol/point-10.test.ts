import { runWhole } from '../support/whole-run';

const SCHEMA = '{"type":"object","required":["thesis"],"properties":{"thesis":{"type":"string"}}}';
const files = { 'schemas/Report.schema.json': SCHEMA };
const pipeline = (more = '') => `owner: lead\nescalation: [boss, human]\nsteps:\n  - {id: draft, agent: w, output: Report.json${more}}\n`;
const errors = (notices: { channel: string }[]) => notices.filter(({ channel }) => channel === '#errors');

describe('point 10: errors', () => {
  it('a timeout is answered by a respawn that has the timeout in its input', async () => {
    const run = runWhole(pipeline(', timeout: 5m'), {
      files,
      script: 'replies:\n  draft: [{try: 1, hang: true}, {try: 2, json: {thesis: up}}]\n',
    });
    await run.completes();
    expect(run.calls.filter(({ name }) => name === 'agent').map(({ address }) => address)).toEqual(['draft#1~1', 'draft#1~2']);
    expect(run.requests[1]?.prompt).toContain('ran out of time');
  });

  it('missing fields are answered by a repair, and then by a respawn that demands them', async () => {
    const run = runWhole(pipeline(), { files, script: 'replies:\n  draft: [{try: 1, json: {}}, {try: 2, json: {thesis: up}}]\n' });
    await run.completes();
    expect(run.requests.map(({ address, ask }) => `${address.try} ${ask}`)).toEqual(['1 1', '1 2', '2 1']);
    expect(run.requests[2]?.prompt).toContain('missing_fields: ["thesis"]');
  });

  it('a block goes to the CEO, and then to the chairman', async () => {
    const judged = `${pipeline()}  - {id: check, type: review, agent: r, of: draft}\n`;
    const run = runWhole(judged, {
      files,
      script: `
replies:
  draft: [{json: {thesis: up}}]
  check: [{json: {verdict: block, summary: made up}}]
  check@boss: [{json: {decision: pass_on, rationale: above me}}]
`,
    });
    await run.quiet();
    expect(run.requests.map(({ stepId }) => stepId)).toEqual(['draft', 'check', 'check@boss']);
    expect(run.status().gates).toMatchObject([{ step: 'check', kind: 'escalation', question: expect.stringContaining('made up') }]);
    run.signal('approve', { by: 'chairman' });
    await run.completes();
  });

  it('a pipeline that breaks off says so in #errors, once', async () => {
    const run = runWhole('steps:\n  - {id: a, run: "exit 3"}\n');
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'command.failed' });
    expect(errors(run.notices)).toHaveLength(1);
  });

  it('a model API error is tried once more of its own accord, and then reported in #errors', async () => {
    const fail = '{fail: {code: model.api-error, message: "500"}}';
    const run = runWhole(pipeline(), { files, script: `replies:\n  draft: [${fail}]\n` });
    await run.quiet(() => errors(run.notices).length > 0);
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'model.api-error' });
    expect(run.requests.map(({ address }) => address.try)).toEqual([1, 2]);
    expect(errors(run.notices)).toHaveLength(1);
  });
});
