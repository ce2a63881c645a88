import type { JournalEntry } from '../../plan/run/journal';
import { field, type Json } from '../../plan/text/json';
import { runWhole, type WholeRun } from '../support/whole-run';

const SCHEMA = JSON.stringify({
  type: 'object',
  required: ['thesis', 'direction'],
  properties: { thesis: { type: 'string', maxLength: 20 }, direction: { enum: ['long', 'short'] } },
});
const pipeline = 'owner: lead\nsteps:\n  - {id: draft, agent: w, output: Report.json}\n';
const files = { 'schemas/Report.schema.json': SCHEMA };

async function questions(run: WholeRun): Promise<Json[]> {
  return (await run.envelopes()).filter(({ intent }) => intent === 'request_clarification').map(({ payload }) => payload as Json);
}

describe('missing_fields names what is wrong with a reply, even if nothing is missing', () => {
  it.each([
    ['prose', 'text: It will rise.', ['$'], 'the reply is not JSON'],
    ['a list', 'text: "[1]"', ['$'], 'the reply is JSON, but not an object'],
    [
      'a wrong word',
      'json: {thesis: up, direction: sideways}',
      ['direction'],
      'direction must be equal to one of the allowed values: long, short',
    ],
    ['a wrong type', 'json: {thesis: 7, direction: long}', ['thesis'], 'thesis must be string'],
    ['a text too long', `json: {thesis: ${'x'.repeat(30)}, direction: long}`, ['thesis'], 'thesis must NOT have more than 20 characters'],
    ['a missing field', 'json: {thesis: up}', ['direction'], 'direction is missing'],
  ])('%s', async (_, bad, missing, reason) => {
    const run = runWhole(pipeline, {
      files,
      script: `replies: {draft: [{try: 1, ${bad}}, {try: 2, json: {thesis: up, direction: long}}]}`,
    });
    await run.completes();
    // The questions are the repair and the respawn after it.
    const asked = await questions(run);
    expect(asked).toHaveLength(2);
    for (const payload of asked) {
      expect(field(payload, 'missing_fields')).toEqual(missing);
      expect(field(payload, 'previous_report')).toMatchObject({ $ref: 'Report.json.refused.txt', sha256: expect.any(String) });
      expect(field(payload, 'question')).toContain(reason);
      expect(field(payload, 'faults')).toMatchObject([{ path: missing[0] }]);
    }
    const again = run.requests.map(({ prompt }) => prompt).slice(1);
    expect(again.every((prompt) => prompt.includes(reason))).toBe(true);
  });
});

describe('every message is an envelope with its own time', () => {
  const said = (entries: readonly JournalEntry[]) =>
    entries.flatMap((entry) => (entry.kind === 'envelope' ? [`${entry.envelope.from} ${entry.envelope.intent}`] : []));

  it('the repair that fails too, and the failure of the try, are in order', async () => {
    const run = runWhole(pipeline, { files, script: 'replies: {draft: [{try: 1, text: no}, {json: {thesis: up, direction: long}}]}' });
    await run.completes();
    const journal = await run.journal();
    expect(said(journal).slice(0, 6)).toEqual([
      'boss assign_task',
      'lead assign_task',
      'lead request_clarification',
      'w deliver_report',
      'lead request_clarification',
      'w deliver_report',
    ]);
    const failure = journal.find(({ kind }, i) => kind === 'envelope' && i > 0 && said(journal.slice(0, i + 1)).length === 4);
    expect(failure).toMatchObject({ envelope: { payload: { error: 'reply.invalid', missing_fields: ['$'] }, expect_response: false } });
  });

  it('what an agent does within a try has the time at which it did it', async () => {
    let nowMs = Date.UTC(2030, 0, 1);
    const run = runWhole(pipeline, {
      files,
      toolbox: { nowMs: () => (nowMs += 60_000) },
      script: 'replies: {draft: [{ask: 1, text: no}, {ask: 2, json: {thesis: up, direction: long}}]}',
    });
    await run.completes();
    const repair = (await run.journal()).find((entry) => entry.kind === 'envelope' && entry.envelope.intent === 'request_clarification');
    expect(repair?.at).toMatch(/^2030-01-01T00:/);
  });
});
