import { runWhole } from '../support/whole-run';

const spawning = `
owner: lead
agents: { w: { role: Writes. }, r: { role: Reviews. } }
steps:
  - {id: plan, agent: lead, action: self, output: Plan.md}
`;
const files = { 'agents/lead.yaml': 'role: Leads.\nreports_to: boss\ntools: [sessions_spawn, sessions_history]\n' };

describe('point 1: spawn is non-blocking, its result goes to the parent alone', () => {
  it('answers with an id at once, runs the children apart from each other, and informs their parent', async () => {
    const run = runWhole(spawning, {
      files,
      script: `
replies:
  plan:
    - ask: 1
      calls:
        - {tool: sessions_spawn, args: {agent: w, task: the case for}}
        - {tool: sessions_spawn, args: {agent: r, task: the case against}}
      text: I wait
    - {ask: 2, text: done}
  plan>w: [{json: {summary: it will rise, findings: [], artifacts: []}}]
  plan>r: [{json: {summary: it will fall, findings: [], artifacts: []}}]
`,
    });
    await run.completes();
    const asked = run.calls.filter(({ name }) => name === 'agent').map(({ address }) => address);
    expect([...new Set(asked)]).toEqual(['plan#1~1', 'plan#1~1/spawn-1', 'plan#1~1/spawn-2']);
    const children = run.requests.slice(1, 3).map(({ prompt }) => prompt);
    expect(children.filter((prompt) => prompt.includes('the case for'))).toHaveLength(1);
    expect(children.join()).not.toMatch(/I wait|it will/);
    const told = run.requests.slice(3).map(({ prompt }) => prompt);
    expect(told).toHaveLength(2);
    expect(told[0]).toContain('it will rise');
    expect(told[1]).toContain('it will fall');
    const between = (await run.envelopes()).filter(({ to, from }) => [to, from].some((who) => who === 'w' || who === 'r'));
    expect(between.every(({ to, from }) => to === 'lead' || from === 'lead')).toBe(true);
  });

  it('a follow-up question is a new spawn that carries the result of the one before', async () => {
    const run = runWhole(spawning, {
      files,
      script: `
replies:
  plan:
    - {ask: 1, calls: [{tool: sessions_spawn, args: {agent: w, task: look}}], text: I wait}
    - {ask: 2, calls: [{tool: sessions_spawn, args: {agent: w, task: and why, previous: plan#1~1/spawn-1}}], text: I wait}
    - {ask: 3, text: done}
  plan>w:
    - {iteration: 1, json: {summary: it will rise, findings: [], artifacts: []}}
    - {iteration: 2, json: {summary: because, findings: [], artifacts: []}}
`,
    });
    await run.completes();
    const again = run.requests.find(({ prompt }) => prompt.includes('and why'));
    expect(again?.prompt).toContain('it will rise');
    expect(again?.transcript().filter(({ role }) => role === 'assistant')).toEqual([]);
  });
});
