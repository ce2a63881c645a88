import { runWhole } from '../support/whole-run';

/** The descriptions by which an agent decides between the two tools (4.2). */
it('each says whether the agent waits for the answer', async () => {
  const run = runWhole(
    'owner: lead\nagents: { w: { role: Writes. }, r: { role: Answers. } }\nsteps:\n  - {id: plan, agent: lead, action: self}\n  - {id: do, agent: w}\n',
    {
      files: { 'agents/lead.yaml': 'role: Leads.\nreports_to: human\ntools: [sessions_send, sessions_spawn]\n' },
      script: 'replies:\n  plan: [{text: planned}]\n  do: [{text: done}]\n',
    },
  );
  await run.completes();
  const offered = new Map(run.requests[0]?.tools?.specs.map(({ name, description }) => [name, description]));
  expect(offered.get('sessions_send')).toMatch(/waits for its answer/);
  expect(offered.get('sessions_spawn')).toMatch(/Answers at once with an id/);
});
