import { runWhole, type WholeRun } from '../support/whole-run';

/** The session tools that an agent has, by `maxSpawnDepth` and its own depth. */
const SPAWN = ['sessions_history', 'sessions_list', 'sessions_spawn', 'subagents'];
const ALL = [...SPAWN, 'sessions_send'].sort();

/** `top` reports to a person. `lead` reports to the agent `boss`, so it is at depth 1 and the agents of its steps are at depth 2. */
const files = { 'agents/top.yaml': 'role: Leads.\nreports_to: human\n' };
const pipeline = (owner: string, maxDepth: number | undefined, action = 'spawn') => `
${owner === '' ? '' : `owner: ${owner}`}
agents: { w: { role: Writes. }, r: { role: Reviews. } }
${maxDepth === undefined ? '' : `limits: { depth: ${maxDepth} }`}
steps:
  - {id: plan, agent: ${action === 'self' ? owner : 'w'}, action: ${action}, output: Plan.md}
`;
const spawn = '{tool: sessions_spawn, args: {agent: r, task: look}}';
const send = '{tool: sessions_send, args: {agent: r, message: hi, timeoutSeconds: 5}}';

function toolsFor(run: WholeRun, scriptKey: string): string[] {
  const asked = run.requests.find(({ stepId }) => stepId === scriptKey);
  if (!asked) throw new Error(`nobody asked ${scriptKey}`);
  return (asked.tools?.specs ?? []).flatMap(({ name }) => (ALL.includes(name) ? [name] : [])).sort();
}

async function played(text: string, script: string): Promise<WholeRun> {
  const run = runWhole(text, { files, script });
  await run.completes();
  return run;
}

/** The same for an owner in its own context. */
const asking = (owner: string, maxDepth: number | undefined) => pipeline(owner, maxDepth, 'self');
const REPORT = '{summary: looked, findings: [], artifacts: []}';
const refused = async (run: WholeRun) =>
  (await run.journal()).flatMap((entry) =>
    entry.kind === 'tool' && entry.outcome === 'refused' ? [`${entry.tool}: ${entry.reason}`] : [],
  );

const quiet = 'replies:\n  plan: [{text: done}]\n';

describe('depth: who may spawn and who may send (the table of tools)', () => {
  it.each([undefined, 1, 2, 5])('the owner in its own context is independent and has them all, with maxSpawnDepth %s', async (maxDepth) => {
    expect(toolsFor(await played(asking('top', maxDepth), quiet), 'plan')).toEqual(ALL);
  });

  it.each([undefined, 2, 5])(
    'an owner that reports to an agent is at depth 1: with maxSpawnDepth %s it spawns, and never sends',
    async (maxDepth) => {
      expect(toolsFor(await played(pipeline('lead', maxDepth, 'self'), quiet), 'plan')).toEqual(SPAWN);
    },
  );

  it('an owner that reports to an agent is a leaf with maxSpawnDepth 1', async () => {
    expect(toolsFor(await played(pipeline('lead', 1, 'self'), quiet), 'plan')).toEqual([]);
  });

  it.each([
    ['the one above it', 'boss'],
    ['an agent beside it', 'r'],
  ])('an owner that reports to an agent is refused when it sends to %s', async (_, to) => {
    const call = `{tool: sessions_send, args: {agent: ${to}, message: hi, timeoutSeconds: 5}}`;
    const run = await played(pipeline('lead', 2, 'self'), `replies:\n  plan: [{calls: [${call}], text: done}]\n`);
    expect(await refused(run)).toEqual(['sessions_send: only an independent agent sends; a child only answers its parent']);
    expect(run.requests).toHaveLength(1);
  });

  it('nobody gives work to those above it', async () => {
    const call = '{tool: sessions_spawn, args: {agent: boss, task: decide}}';
    const run = await played(pipeline('lead', 2, 'self'), `replies:\n  plan: [{calls: [${call}], text: done}]\n`);
    expect(await refused(run)).toEqual([expect.stringContaining('sessions_spawn: "boss" is above you')]);
    expect(run.requests).toHaveLength(1);
  });

  it('an independent agent sends to independent ones alone, and not to an agent that does a step of its pipeline', async () => {
    const [toChild, toSelf] = ['w', 'top'].map((agent) => `{tool: sessions_send, args: {agent: ${agent}, message: hi, timeoutSeconds: 5}}`);
    const text = `${asking('top', 1)}  - {id: write, agent: w}\n`;
    const run = await played(
      text,
      `replies:\n  plan: [{calls: [${toChild}, ${toSelf}, ${send}], text: done}]\n  plan>r: [{json: ${REPORT}}]\n  write: [{text: done}]\n`,
    );
    const only = (agent: string) => `sessions_send: "${agent}" is not independent: it answers its parent alone; you may send to: r`;
    expect(await refused(run)).toEqual(['w', 'top'].map(only));
    expect(run.requests.filter(({ stepId }) => stepId === 'plan>r')).toHaveLength(1);
  });

  it('an agent of a pipeline without an owner is independent too', async () => {
    expect(toolsFor(await played(pipeline('', undefined), quiet), 'plan')).toEqual(ALL);
  });

  it.each([undefined, 1])('with maxSpawnDepth %s an agent at depth 1 is a leaf: it has no tool for sessions', async (maxDepth) => {
    expect(toolsFor(await played(pipeline('top', maxDepth), quiet), 'plan')).toEqual([]);
  });

  it.each([2, 5])('with maxSpawnDepth %s an agent at depth 1 has the four for spawning, and never sessions_send', async (maxDepth) => {
    expect(toolsFor(await played(pipeline('top', maxDepth), quiet), 'plan')).toEqual(SPAWN);
  });

  it('with maxSpawnDepth 2 an agent at depth 2 is a leaf: the child of a step’s agent', async () => {
    const run = await played(
      pipeline('top', 2),
      `replies:\n  plan: [{ask: 1, calls: [${spawn}], text: I wait}, {ask: 2, text: done}]\n  plan>r: [{json: {summary: looked, findings: [], artifacts: []}}]\n`,
    );
    expect(toolsFor(run, 'plan>r')).toEqual([]);
  });

  it.each([1, 2])('with maxSpawnDepth %s an agent at depth 2 is a leaf: a step’s agent below CEO and owner', async (maxDepth) => {
    expect(toolsFor(await played(pipeline('lead', maxDepth), quiet), 'plan')).toEqual([]);
  });

  it.each([3, 5])('with maxSpawnDepth %s agents down to depth 2 have the four: who asks for deeper nesting gets it', async (maxDepth) => {
    expect(toolsFor(await played(pipeline('lead', maxDepth), quiet), 'plan')).toEqual(SPAWN);
  });

  it.each([
    ['spawns', 'sessions_spawn', spawn, /^you are a child at depth 1, and this pipeline lets no agent there spawn/],
    ['sends', 'sessions_send', send, /only an independent agent sends/],
  ])('a leaf that %s nevertheless is refused in words, which the journal has too', async (_, tool, call, reason) => {
    const run = await played(pipeline('top', 1), `replies:\n  plan: [{calls: [${call}], text: done}]\n`);
    const refusals = (await run.journal()).filter((entry) => entry.kind === 'tool');
    expect(refusals).toMatchObject([{ step: 'plan', tool, outcome: 'refused', reason: expect.stringMatching(reason) }]);
    expect(run.calls.filter(({ name }) => name === 'agent')).toHaveLength(1);
  });

  it('a reviewer and a critic are the owner’s children', async () => {
    const text = `
owner: top
steps:
  - {id: plan, agent: top, action: self, output: Plan.md}
  - {id: check, type: review, of: plan, agent: r, critic: w}
`;
    const verdict = '{json: {verdict: pass, findings: []}}';
    const run = await played(text, `replies:\n  plan: [{text: done}]\n  check: [${verdict}]\n  check.critic: [${verdict}]\n`);
    expect([toolsFor(run, 'check'), toolsFor(run, 'check.critic')]).toEqual([[], []]);
  });

  it('the CEO, who is asked by escalation, is independent, but gives no work to agents of a pipeline that it does not own', async () => {
    const text = `
owner: lead
agents: { secretary: { role: Keeps the books., reports_to: boss } }
steps:
  - {id: plan, agent: lead, action: self, output: Plan.md}
  - {id: check, type: review, of: plan, agent: r, on_block: "escalate(boss, decides=agent)"}
`;
    const run = await played(
      text,
      `replies:
  plan: [{text: done}]
  check: [{json: {verdict: block, findings: []}}]
  check@boss: [{calls: [${spawn}, ${send}, ${send.replace('agent: r', 'agent: lead')}, ${send.replace('agent: r', 'agent: secretary')}], json: {decision: pass, rationale: fine}}]
  check>secretary: [{json: ${REPORT}}]
`,
    );
    expect(toolsFor(run, 'check@boss')).toEqual(['sessions_history', 'sessions_list', 'sessions_send']);
    const notSent = (agent: string) =>
      `sessions_send: "${agent}" is not independent: it answers its parent alone; you may send to: secretary`;
    expect(await refused(run)).toEqual([
      'sessions_spawn: the agents of this pipeline work for its owner, "lead": give the task to that agent',
      ...['r', 'lead'].map(notSent),
    ]);
    expect(run.requests.map(({ stepId }) => stepId)).toEqual(['plan', 'check', 'check@boss', 'check>secretary']);
  });
});
