import { runWhole } from '../support/whole-run';

const REPORT = JSON.stringify({ type: 'object', required: ['thesis', 'invalidation'], properties: { thesis: { type: 'string' } } });
const pipeline = `
owner: lead
steps:
  - {id: draft, agent: w, output: Report.json}
  - {id: check, type: review, agent: r, of: draft}
`;
const files = { 'schemas/Report.schema.json': REPORT };

describe('point 4: the envelope', () => {
  it('every request and reply is one in the journal, in order, with its time', async () => {
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  draft: [{json: {thesis: up, invalidation: below 80}}]
  check: [{json: {verdict: pass}}]
`,
    });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({ status: 'completed' });
    const entries = await run.journal();
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));
    expect(entries.every(({ at }) => new Date(at).toISOString() === at)).toBe(true);
    const envelopes = await run.envelopes();
    for (const envelope of envelopes)
      expect(Object.keys(envelope).sort()).toEqual(['expect_response', 'from', 'intent', 'payload', 'ref_task', 'to']);
    expect(envelopes.map(({ from, to, intent }) => `${from} ${to} ${intent}`).slice(0, 5)).toEqual([
      'boss lead assign_task',
      'lead w assign_task',
      'w lead deliver_report',
      'lead r review_request',
      'r lead review_verdict',
    ]);
    expect(envelopes[2]).toMatchObject({ ref_task: 'p-test/draft#1~1', payload: { $ref: 'Report.json', sha256: expect.any(String) } });
  });

  it('what is missing of a reply comes back as a list of fields, never as blanks', async () => {
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  draft: [{ask: 1, json: {thesis: up}}, {ask: 2, json: {thesis: up, invalidation: below 80}}]
  check: [{json: {verdict: pass}}]
`,
    });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({ status: 'completed' });
    expect(run.requests[1]?.prompt).toContain('missing_fields: ["invalidation"]');
    expect((await run.envelopes()).find(({ intent }) => intent === 'request_clarification')).toMatchObject({
      payload: { missing_fields: ['invalidation'] },
    });
  });

  it('what an agent says around the JSON is no part of its report', async () => {
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  draft: [{text: "Here it is:\\n\`\`\`json\\n{\\"thesis\\": \\"up\\", \\"invalidation\\": \\"x\\"}\\n\`\`\`\\nGood luck."}]
  check: [{json: {verdict: pass}}]
`,
    });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({ status: 'completed' });
    const artifact = run.status().steps.find(({ id }) => id === 'draft')?.artifact;
    expect(await run.json(artifact)).toEqual({ thesis: 'up', invalidation: 'x' });
  });
});
