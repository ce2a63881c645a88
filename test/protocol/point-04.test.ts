import { field, isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { readSchema, schemaNames } from '../programs/program-files';
import { problemsOf } from '../programs/schema-check';
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
    await run.completes();
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
    await run.completes();
    expect(run.requests[1]?.prompt).toContain('missing_fields: ["invalidation"]');
    expect((await run.envelopes()).find(({ intent }) => intent === 'request_clarification')).toMatchObject({
      payload: { missing_fields: ['invalidation'] },
    });
  });

  it.each([
    ['around a block', 'Here it is:\\n```json\\n{\\"thesis\\": \\"up\\", \\"invalidation\\": \\"x\\"}\\n```\\nGood luck.'],
    ['before an object', 'Here it is: {\\"thesis\\": \\"up\\", \\"invalidation\\": \\"x\\"}'],
  ])('what an agent says %s is a fault: it is asked for the object alone', async (_, text) => {
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  draft: [{ask: 1, text: "${text}"}, {ask: 2, json: {thesis: up, invalidation: x}}]
  check: [{json: {verdict: pass}}]
`,
    });
    await run.completes();
    expect(run.requests[1]?.prompt).toContain('the reply has text next to its JSON: the answer must be the object alone');
    const artifact = run.status().steps.find(({ id }) => id === 'draft')?.artifact;
    expect(await run.json(artifact)).toEqual({ thesis: 'up', invalidation: 'x' });
  });

  describe.each(schemaNames)('%s', (name) => {
    const whole = leastOf(readSchema(name) as Json, '') as JsonObject;
    const admits = JSON.stringify({ ...whole, missing_fields: ['date'] });
    const schema = { [`schemas/${name}.schema.json`]: JSON.stringify(readSchema(name)) };
    const step = (more = '') =>
      `owner: lead\nsteps:\n  - {id: work, run: "true"}\n  - {id: report, agent: w, output: ${name}.json${name === 'Review_Report' ? ', of: work' : ''}${more}}\n`;

    it('a report that says that it is incomplete does not pass, though every field is there: it is asked for again, then again', async () => {
      expect(problemsOf(name, whole)).toEqual([]);
      const script = `replies:\n  report: [{try: 1, json: ${admits}}, {try: 2, json: ${JSON.stringify(whole)}}]\n`;
      const run = runWhole(step(), { files: schema, script });
      await run.completes();
      expect(run.requests.map(({ address, ask }) => `${address.try} ${ask}`)).toEqual(['1 1', '1 2', '2 1']);
      for (const { prompt } of run.requests.slice(1)) expect(prompt).toContain('missing_fields: ["date"]');
      const asked = (await run.envelopes()).filter(({ intent }) => intent === 'request_clarification');
      expect(asked.map(({ payload }) => field(payload as Json, 'missing_fields'))).toEqual([['date'], ['date']]);
    });

    it('a report that nobody completes goes as on_invalid says', async () => {
      const run = runWhole(step(', on_invalid: continue'), { files: schema, script: `replies:\n  report: [{json: ${admits}}]\n` });
      await run.completes();
      expect(run.requests).toHaveLength(8);
      expect(run.status().steps.find(({ id }) => id === 'report')).toMatchObject({ error: { code: 'reply.invalid' } });
    });
  });
});

/** The smallest value that a schema accepts; if it lists words, the first one. */
function leastOf(schema: Json, name: string): Json {
  const words = field(schema, 'enum');
  if (Array.isArray(words)) return words[0] ?? null;
  switch (field(schema, 'type')) {
    case 'object': {
      const fields = Object.entries(Object(field(schema, 'properties')) as Record<string, Json>).filter(
        // `findings` are an alternative to `issues`.
        ([key]) => key !== 'missing_fields' && key !== 'findings',
      );
      return Object.fromEntries(fields.map(([key, inner]) => [key, leastOf(inner, key)]));
    }
    case 'array':
      return Array.from({ length: Number(field(schema, 'minItems') ?? 0) }, () => leastOf(field(schema, 'items') ?? {}, name));
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    default:
      return isJsonObject(schema) && field(schema, 'format') === 'date' ? '2026-04-10' : 'said';
  }
}
