import { field, type Json } from '../../plan/text/json';
import { runWhole, type WholeRun } from '../support/whole-run';
import { CLARIFICATION } from './source-examples';

/**
 * The strategist finds a gap in a report, and spawns the researcher again with the report, the names of the missing fields, and a question.
 */
const SCHEMA = JSON.stringify({ type: 'object', required: ['thesis'], properties: { thesis: { type: 'string' } } });
const files = { 'schemas/Bullish_Brief.schema.json': SCHEMA };
const pipeline = `
owner: lead
steps:
  - {id: bull, agent: w, output: Bullish_Brief.json}
  - {id: bear, agent: r, output: Bearish_Brief.md}
  - {id: count, run: "echo 1", output: Count.txt}
  - {id: converge, agent: lead, action: self, depends_on: [bull, bear, count], output: Thesis.md}
`;
const { missing_fields, question } = CLARIFICATION.payload;
const asks = (previous: string, more: object = { missing_fields }, agent = 'w') =>
  JSON.stringify({ tool: 'sessions_spawn', args: { agent, task: question, previous, ...more } });
const script = (
  calls: readonly string[],
  answers = '[{ask: 1, json: {summary: no}}, {ask: 2, json: {thesis: "up, from 82600 on H4"}}]',
) => `
replies:
  bull: [{json: {thesis: up}}]
  bear: [{text: down}]
  converge: [{ask: 1, calls: [${calls.join(', ')}], text: I wait}, {ask: 2, text: done}]
  converge>w: ${answers}
`;
const played = async (text: string): Promise<WholeRun> => {
  const run = runWhole(pipeline, { files, script: text });
  await run.completes();
  return run;
};
const refusals = async (run: WholeRun) =>
  (await run.journal()).flatMap((entry) => (entry.kind === 'tool' && entry.outcome === 'refused' ? [entry.reason] : []));

describe('the clarification of the source', () => {
  it.each(['bull', 'Bullish_Brief.json', 'bull#1~1', 'bull#1'])('is made by a spawn that names the report as %s', async (previous) => {
    const run = await played(script([asks(previous)]));
    expect(await refusals(run)).toEqual([]);
    const [asked] = (await run.envelopes()).filter(({ intent }) => intent === CLARIFICATION.intent);
    expect(asked).toMatchObject({
      ...{ from: 'lead', to: 'w', ref_task: 'p-test/converge#1~1', expect_response: true },
      payload: { ...CLARIFICATION.payload, previous_report: { $ref: 'Bullish_Brief.json', sha256: expect.any(String) } },
    });
    expect(
      (await run.envelopes()).some(({ intent, to, payload }) => intent === 'assign_task' && to === 'w' && field(payload as Json, 'id')),
    ).toBe(false);
  });

  it('gives the agent the report, what is missing and the question, and wants a report of the same schema', async () => {
    const run = await played(script([asks('bull')]));
    const [first, repair] = run.requests.filter(({ stepId }) => stepId === 'converge>w');
    for (const part of ['"thesis": "up"', `missing_fields: ${JSON.stringify(missing_fields)}`, question])
      expect(first?.prompt).toContain(part);
    expect(repair?.prompt).toContain('missing_fields: ["thesis"]');
    expect(run.requests.findLast(({ stepId }) => stepId === 'converge')?.prompt).toContain('from 82600 on H4');
  });

  it('is for the agent that has delivered the report, and another gets it with a task', async () => {
    const run = await played(
      script([asks('bear', {}), asks('bear'), asks('count')], '[{json: {summary: seen, findings: [], artifacts: []}}]'),
    );
    expect(await refusals(run)).toEqual([
      '"bear" is not of "w": ask r what is missing',
      '"count" is not of "w": ask nobody, no agent has made it, what is missing',
    ]);
    const given = (await run.envelopes()).find(({ payload }) => field(payload as Json, 'previous_report') !== undefined);
    expect(given).toMatchObject({ to: 'w', intent: 'assign_task', payload: { previous_report: { $ref: 'Bearish_Brief.md' } } });
  });

  it.each([
    ['that nobody has delivered', asks('Bull.json'), /no agent before you has delivered that; there is: .*bull \(Bullish_Brief.json\)/],
    ['of a try that has not delivered it', asks('bull#2'), /is not the try whose output step "bull" has now/],
    ['that is not named', `{tool: sessions_spawn, args: {agent: w, task: look, missing_fields: [a]}}`, /name it under "previous"/],
  ])('is refused about a report %s', async (_, call, reason) => {
    const run = await played(script([call]));
    expect(await refusals(run)).toEqual([expect.stringMatching(reason)]);
    expect(run.requests.filter(({ stepId }) => stepId === 'converge>w')).toEqual([]);
  });
});

describe('what agents say to each other is JSON', () => {
  const talk = (message: string, task: string) => `owner: top
agents: { top: { role: Leads., reports_to: human }, w: { role: Writes. } }
steps:
  - {id: plan, agent: top, action: self}
@@
replies:
  plan: [{ask: 1, calls: [{tool: sessions_send, args: {agent: w, message: ${message}}}, {tool: sessions_spawn, args: {agent: w, task: ${task}}}], text: I wait}, {ask: 2, text: done}]
  plan>w: [{json: {summary: seen, findings: [], artifacts: []}}]
`;
  it.each([
    ['in words', 'What is new?', 'look', { question: 'What is new?' }, 'look'],
    ['as an object', '{topic: news, depth: 2}', '{look_at: news}', { topic: 'news', depth: 2 }, { look_at: 'news' }],
  ])('a question of sessions_send and the task of a spawn, said %s', async (_, message, task, asked, given) => {
    const [text = '', played = ''] = talk(message, task).split('@@');
    const run = runWhole(text, { script: played });
    await run.completes();
    const said = await run.envelopes();
    const payload = said.find(({ intent }) => intent === 'collect_opinion')?.payload;
    expect(await run.json(payload as never)).toEqual(asked);
    expect(field(payload as Json, '$ref')).toBe('plan.send-w-1.message.json');
    expect(said.find(({ intent, to }) => intent === 'assign_task' && to === 'w')?.payload).toMatchObject({ task: given });
    const [sent, spawned] = run.requests.filter(({ stepId }) => stepId === 'plan>w').map(({ prompt }) => prompt);
    expect(sent).toContain('question' in asked ? asked.question : '"topic": "news"');
    expect(spawned).toContain(typeof given === 'string' ? given : '"look_at": "news"');
  });

  it.each(['" \u00a0 "', '{}'])('and what says nothing is neither a question nor a task: %s', async (said) => {
    const [text = '', played = ''] = talk(said, said).split('@@');
    const run = runWhole(text, { script: played });
    await run.completes();
    expect(await refusals(run)).toEqual(['send', 'spawn'].map((tool) => expect.stringContaining(`wrong arguments for "sessions_${tool}"`)));
    expect(run.requests.map(({ stepId }) => stepId)).toEqual(['plan']);
  });
});
