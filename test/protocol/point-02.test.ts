import { runWhole } from '../support/whole-run';

const pipeline = `
owner: lead
agents: { w: { role: Writes., tools: [sessions_send, sessions_spawn] } }
steps:
  - {id: plan, agent: lead, action: self, output: Plan.md}
`;
const files = { 'agents/lead.yaml': 'role: Leads.\nreports_to: human\ntools: [sessions_send, sessions_spawn]\n' };
const send = (message: string) => `{tool: sessions_send, args: {agent: w, message: ${message}, timeoutSeconds: 60}}`;

describe('point 2: send is synchronous, for agents of depth 0, at most 5 turns', () => {
  it('waits for the answer, and the talk remembers what was said', async () => {
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  plan: [{calls: [${send('up')}, ${send('why')}], text: done}]
  plan>w: [{ask: 1, json: {summary: "yes", findings: [], artifacts: []}}, {ask: 2, json: {summary: because, findings: [], artifacts: []}}]
`,
    });
    await run.completes();
    const second = run.requests.find(({ prompt }) => prompt === 'why');
    expect(second?.transcript().map(({ text }) => text)).toContainEqual(expect.stringContaining('"yes"'));
    const talk = (await run.envelopes()).filter(({ from, to }) => from === 'w' || to === 'w');
    expect(talk.map(({ from, to, expect_response }) => `${from} ${to} ${expect_response}`)).toEqual([
      ...['lead w true', 'w lead false', 'lead w true', 'w lead false'],
    ]);
  });

  it('refuses the sixth turn to the agent that asks, in words and in the journal', async () => {
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  plan: [{calls: [${['one', 'two', 'three', 'four', 'five', 'six'].map(send).join(', ')}], text: done}]
  plan>w: [{json: {summary: "yes", findings: [], artifacts: []}}]
`,
    });
    await run.completes();
    expect((await run.journal()).filter((entry) => entry.kind === 'tool')).toMatchObject([
      { step: 'plan', tool: 'sessions_send', outcome: 'refused' },
    ]);
    expect(run.requests.filter(({ stepId }) => stepId === 'plan>w')).toHaveLength(5);
  });

  it('is never offered to a child, and refused to one that calls it nevertheless', async () => {
    const run = runWhole(pipeline, {
      files,
      script: `
replies:
  plan: [{ask: 1, calls: [{tool: sessions_spawn, args: {agent: w, task: look}}], text: I wait}, {ask: 2, text: done}]
  plan>w: [{calls: [{tool: sessions_send, args: {agent: lead, message: hi, timeoutSeconds: 5}}], json: {summary: looked, findings: [], artifacts: []}}]
`,
    });
    await run.completes();
    const [own, child] = run.requests;
    expect(own?.tools?.specs.map(({ name }) => name)).toContain('sessions_send');
    expect(child?.tools?.specs.map(({ name }) => name) ?? []).not.toContain('sessions_send');
    expect((await run.journal()).filter((entry) => entry.kind === 'tool')).toMatchObject([{ tool: 'sessions_send', outcome: 'refused' }]);
  });
});
