import { runWhole, type WholeRun } from '../support/whole-run';

/** `escalate` (any → CEO) reports a problem; `notify` (any → Discord) is not a conversation. */

const pipeline = `owner: lead
channels: { "#desk": { mention: "@chairman" }, "#approvals": { mention: "@chairman" }, "#errors": {} }
steps:
  - {id: look, agent: w}
  - {id: draft, agent: w, depends_on: [look]}
`;
const calls = (...made: string[]) => `replies:
  look: [{text: seen}]
  draft: [{${made.length > 0 ? `calls: [${made.join(', ')}], ` : ''}text: ready}]
`;
const notify = (args: string) => `{tool: notify, args: ${args}}`;
const escalate = (args: string) => `{tool: escalate, args: ${args}}`;
const refusals = async (run: WholeRun) =>
  (await run.journal()).flatMap((entry) => (entry.kind === 'tool' && entry.outcome === 'refused' ? [entry.reason] : []));
const sent = async (run: WholeRun, intent: string) => (await run.envelopes()).filter((envelope) => envelope.intent === intent);
const done = async (run: WholeRun) => {
  await run.completes();
};

describe('notify: any → Discord', () => {
  it('sends once, from the agent, by an envelope, and the agent goes on', async () => {
    const run = runWhole(pipeline, { script: calls(notify('{channel: "#desk", message: "The feed is back."}')) });
    await done(run);
    expect(run.notices).toEqual([{ channel: '#desk', text: 'w: The feed is back.' }]);
    expect(await sent(run, 'notify')).toMatchObject([
      { from: 'w', to: '#desk', ref_task: 'p-test/draft#1~1', payload: { message: 'The feed is back.' }, expect_response: false },
    ]);
    expect(run.requests.at(-1)?.transcript().at(-1)).toMatchObject({ role: 'tool', text: '{"status":"accepted"}' });
    expect(run.status().steps.find(({ id }) => id === 'draft')?.try).toBe(1);
  });

  it('mentions nobody, whatever it says: the channel’s own mention is for what the run asks', async () => {
    const text = '@everyone <@81384788765712384> @chairman sign here';
    const run = runWhole(pipeline, { script: calls(notify(`{channel: "#approvals", message: "${text}"}`)) });
    await done(run);
    expect(run.notices).toEqual([{ channel: '#approvals', text: `w: ${text}` }]);
  });

  it('reaches the channels of the pipeline and of the settings, and no other', async () => {
    const wanted = ['#desk', '#ops', '#errors', '#boss'].map((channel) => notify(`{channel: "${channel}", message: m}`));
    const run = runWhole(pipeline, { script: calls(...wanted), toolbox: { channels: { '#ops': {} } } });
    await done(run);
    expect(run.notices.map(({ channel }) => channel)).toEqual(['#desk', '#ops', '#errors']);
    expect(await refusals(run)).toEqual([expect.stringContaining('#approvals, #desk, #errors, #ops')]);
  });

  it('is refused beyond five a try, over 2,000 characters, and if it says nothing', async () => {
    const long = notify(`{channel: "#desk", message: "${'x'.repeat(2001)}"}`);
    const many = Array.from({ length: 6 }, (_, i) => notify(`{channel: "#desk", message: m${i}}`));
    const run = runWhole(pipeline, { script: calls(long, notify('{channel: "#desk", message: "  "}'), ...many) });
    await done(run);
    expect(run.notices.map(({ text }) => text)).toEqual(['w: m0', 'w: m1', 'w: m2', 'w: m3', 'w: m4']);
    expect(await refusals(run)).toEqual([
      expect.stringContaining('2000 characters'),
      '"message" says nothing',
      'you have called "notify" 5 times in this task already, which is the limit',
    ]);
  });

  it('waits for a person’s yes if the agent has it in a category', async () => {
    const files = { 'agents/w.yaml': 'role: Writes.\ncategories: { message_outside: [notify] }\n' };
    const run = runWhole(pipeline, { files, script: calls(notify('{channel: "#desk", message: out}')) });
    await run.quiet();
    expect(run.status().gates).toMatchObject([{ step: 'draft', category: 'message_outside' }]);
    expect(run.notices.filter(({ channel }) => channel === '#desk')).toEqual([]);
    run.signal('approve', { by: 'chairman' });
    await done(run);
    expect(run.notices.filter(({ channel }) => channel === '#desk')).toEqual([{ channel: '#desk', text: 'w: out' }]);
  });

  it('is there for an agent that lists other tools, and not for one that may use none', async () => {
    const offered = async (tools: string) => {
      const run = runWhole(pipeline, { files: { 'agents/w.yaml': `role: Writes.\ntools: ${tools}\n` }, script: calls() });
      await done(run);
      return (run.requests[0]?.tools?.specs ?? []).map(({ name }) => name).filter((name) => name === 'notify' || name === 'escalate');
    };
    expect(await offered('[read_artifact]')).toEqual(['escalate', 'notify']);
    expect(await offered('[]')).toEqual([]);
  });
});

describe('escalate: any → CEO', () => {
  it('is an envelope to the one above, is shown, is reported in #approvals by the CEO, and the work continues', async () => {
    const run = runWhole(pipeline, { script: calls(escalate('{reason: "The figures contradict.", artifacts: [look.md]}')) });
    await done(run);
    expect(await sent(run, 'escalate')).toMatchObject([
      {
        ...{ from: 'w', to: 'boss', ref_task: 'p-test/draft#1~1', expect_response: false },
        payload: { step: 'draft', reason: 'The figures contradict.', artifacts: [{ $ref: 'look.md', sha256: expect.any(String) }] },
      },
    ]);
    expect(run.notices).toEqual([
      { channel: '#approvals', text: '@chairman boss: w escalates at draft (look.md): The figures contradict.' },
    ]);
    expect(run.status().raised).toMatchObject([{ step: 'draft', agent: 'w', to: 'boss', reason: 'The figures contradict.' }]);
  });

  it('of the CEO goes to the people above', async () => {
    const ceo = pipeline.replace('id: draft, agent: w', 'id: draft, agent: boss');
    const run = runWhole(`escalation: [boss, human("#desk")]\n${ceo}`, { script: calls(escalate('{reason: above me}')) });
    await done(run);
    expect(await sent(run, 'escalate')).toMatchObject([{ from: 'boss', to: 'human("#desk")' }]);
    expect(run.notices.map(({ channel }) => channel)).toEqual(['#desk']);
  });

  it('is refused beyond three a try, without words, and about what the task was not given', async () => {
    const made = ['{reason: " "}', '{reason: a, artifacts: [Other.json]}', '{reason: a}', '{reason: b}', '{reason: c}', '{reason: d}'];
    const run = runWhole(pipeline, { script: calls(...made.map(escalate)) });
    await done(run);
    expect(await refusals(run)).toEqual([
      '"reason" says nothing',
      'your task has no artifact "Other.json"',
      'you have called "escalate" 3 times in this task already, which is the limit',
    ]);
    expect((run.status().raised ?? []).map(({ reason }) => reason)).toEqual(['a', 'b', 'c']);
  });

  it('is for a spawned child and for an agent that is asked as well', async () => {
    const run = runWhole(
      `agents: { x: { role: Answers. } }\n${pipeline}`
        .replace('id: draft, agent: w', 'id: draft, agent: lead, action: self')
        .concat('  - {id: check, type: review, agent: r, of: draft, depends_on: [draft]}\n'),
      {
        files: { 'agents/lead.yaml': 'role: Leads.\nreports_to: human\n' },
        script: `replies:
  look: [{text: seen}]
  draft:
    - {ask: 1, calls: [{tool: sessions_spawn, args: {agent: w, task: look}}, {tool: sessions_send, args: {agent: x, message: up, timeoutSeconds: 5}}], text: I wait}
    - {text: ready}
  check: [{json: {verdict: pass}}]
  draft>w: [{calls: [${escalate('{reason: child}')}], json: {summary: looked, findings: [], artifacts: []}}]
  draft>x: [{calls: [${escalate('{reason: asked}')}], json: {summary: answered, findings: [], artifacts: []}}]
`,
      },
    );
    await done(run);
    expect((run.status().raised ?? []).map(({ agent, reason }) => `${agent}: ${reason}`).sort()).toEqual(['w: child', 'x: asked']);
  });
});
