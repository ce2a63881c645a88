import { runWhole } from '../support/whole-run';

const pipeline = `
owner: lead
agents: { w: { role: Writes. } }
steps:
  - {id: plan, agent: lead, action: self, output: Plan.md}
  - {id: decide, agent: lead, action: self, output: Decision.md}
`;
const files = { 'agents/lead.yaml': 'role: Leads.\nreports_to: human\ntools: [sessions_send, sessions_spawn, sessions_history]\n' };
const REPORT = '{summary: it will rise, findings: [], artifacts: []}';
const said = (envelopes: readonly { from: string; to: string; intent: string }[], who: string) =>
  envelopes.filter(({ from, to }) => from === who || to === who).map(({ from, intent }) => `${from} ${intent}`);

describe('spawned agents answer in a schema: repair, then respawn, then failure', () => {
  it('an answer that cannot be used is asked for again, then by a fresh agent that gets the reason', async () => {
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  plan: [{ask: 1, calls: [{tool: sessions_spawn, args: {agent: w, task: look}}], text: I wait}, {ask: 2, text: done}]
  plan>w: [{try: 1, text: It will rise.}, {try: 2, json: ${REPORT}}]
  decide: [{text: long}]
`,
    });
    await run.completes();
    const asked = run.requests.filter(({ stepId }) => stepId === 'plan>w');
    expect(asked.map(({ ask, address }) => [address?.try, ask])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
    const fresh = asked[2];
    expect(fresh?.transcript().filter(({ role }) => role === 'assistant')).toEqual([]);
    expect(fresh?.prompt).toContain('the reply is not JSON');
    expect(fresh?.prompt).toContain('It will rise.');
    expect(said(await run.envelopes(), 'w')).toEqual([
      'lead assign_task',
      'lead request_clarification',
      'w deliver_report',
      'lead request_clarification',
      'w deliver_report',
    ]);
    const told = run.requests.find(({ stepId, ask }) => stepId === 'plan' && ask === 2);
    expect(told?.prompt).toContain('it will rise');
  });

  it('an agent that never answers in its form has failed, and its parent is informed', async () => {
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  plan: [{ask: 1, calls: [{tool: sessions_spawn, args: {agent: w, task: look}}], text: I wait}, {ask: 2, text: done}]
  plan>w: [{text: It will rise.}]
  decide: [{text: long}]
`,
    });
    await run.completes();
    // There are four agents, and each is asked for one repair.
    expect(run.requests.filter(({ stepId }) => stepId === 'plan>w')).toHaveLength(8);
    expect(run.requests.find(({ stepId, ask }) => stepId === 'plan' && ask === 2)?.prompt).toContain('reply.invalid');
  });

  it('in the schema that the parent names', async () => {
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  plan:
    - ask: 1
      calls: [{tool: sessions_spawn, args: {agent: w, task: count, schema: {type: object, required: [count], properties: {count: {type: integer}}}}}]
      text: I wait
    - {ask: 2, text: done}
  plan>w: [{ask: 1, json: ${REPORT}}, {ask: 2, json: {count: 3}}]
  decide: [{text: long}]
`,
    });
    await run.completes();
    const [first, repair] = run.requests.filter(({ stepId }) => stepId === 'plan>w');
    expect(first?.system).toContain('"count"');
    expect(repair?.prompt).toContain('count is missing');
  });

  it('what is upstream of the step may be read by an agent that is spawned there', async () => {
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  plan: [{text: wait and see}]
  decide: [{ask: 1, calls: [{tool: sessions_spawn, args: {agent: w, task: judge}}], text: I wait}, {ask: 2, text: long}]
  decide>w: [{calls: [{tool: read_artifact, args: {name: Plan.md}}], json: ${REPORT}}]
`,
    });
    await run.completes();
    const prompt = run.requests.find(({ stepId }) => stepId === 'decide>w')?.prompt;
    expect(prompt).toContain('- Plan.md: step plan, by lead, 12 bytes');
    expect((await run.journal()).filter(({ kind }) => kind === 'tool')).toEqual([]);
  });
});

describe('a talk goes on in the session of the partner in this run', () => {
  it('over steps: the partner knows what it said before', async () => {
    const send = (message: string) => `{tool: sessions_send, args: {agent: w, message: ${message}}}`;
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  plan: [{calls: [${send('What is new?')}], text: done}]
  plan>w: [{json: ${REPORT}}]
  decide: [{calls: [${send('And what follows?')}], text: long}]
  decide>w: [{json: {summary: buy, findings: [], artifacts: []}}]
`,
    });
    await run.completes();
    const texts =
      run.requests
        .find(({ stepId }) => stepId === 'decide>w')
        ?.transcript()
        .map(({ text }) => text) ?? [];
    expect(texts).toHaveLength(3);
    expect(texts[0]).toContain('What is new?');
    expect(texts[1]).toContain('it will rise');
    expect(texts[2]).toContain('And what follows?');
  });
});
