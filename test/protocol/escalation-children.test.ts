import { runWhole } from '../support/whole-run';

/**
 * In a pipeline without an owner, an agent of the escalation chain gives work to others like every agent. A script answers for them by step
 * and agent.
 */
it('a script plays who is spawned by an agent that is asked by escalation', async () => {
  const text = `
escalation: [boss, human]
steps:
  - {id: plan, agent: w, output: Plan.md}
  - {id: check, type: review, of: plan, agent: r, on_block: "escalate(boss, decides=agent)"}
`;
  const run = runWhole(text, {
    script: `replies:
  plan: [{text: done}]
  check: [{json: {verdict: block, findings: []}}]
  check@boss:
    - {ask: 1, calls: [{tool: sessions_spawn, args: {agent: w, task: look}}], text: I wait}
    - {ask: 2, json: {decision: pass, rationale: fine}}
  check>w: [{json: {summary: looked, findings: [], artifacts: []}}]
`,
  });
  await run.completes();
  expect(run.requests.map(({ stepId }) => stepId)).toEqual(['plan', 'check', 'check@boss', 'check>w', 'check@boss']);
  expect(run.requests.at(-1)?.prompt).toContain('looked');
});
