import { ScriptedAdapter } from '../../activities/adapters/scripted';
import type { AgentAdapter } from '../../activities/agent-port';
import type { JournalEntry } from '../../plan/run/journal';
import { FleetSlotFiles } from '../../records/directory/fleet-slot-files';
import { scratchFolder } from '../support/scratch-folder';
import { runWhole, type WholeRun } from '../support/whole-run';

const TOOLS = '[sessions_spawn, sessions_list, sessions_history, subagents]';
const files = { 'agents/lead.yaml': `role: Leads.\nreports_to: human\ntools: ${TOOLS}\n` };
const pipeline = (more = '') => `
owner: lead
agents: { w: { role: Writes., tools: ${TOOLS} } }
${more}
steps:
  - {id: plan, agent: lead, action: self, output: Plan.md}
`;
const spawn = '{tool: sessions_spawn, args: {agent: w, task: look}}';
const spawns = (n: number) => Array.from({ length: n }, () => spawn).join(', ');

async function refusals(run: WholeRun): Promise<string[]> {
  const told = (entry: JournalEntry) => (entry.kind === 'tool' ? [`${entry.tool} ${entry.outcome}`] : []);
  return (await run.journal()).flatMap(told);
}

/** The tools that an agent is offered in addition to those that every agent has. */
const offered = (run: WholeRun, at: number) =>
  (run.requests[at]?.tools?.specs ?? []).map(({ name }) => name).filter((name) => name !== 'escalate' && name !== 'notify');

describe('point 3: limits', () => {
  it.each([
    ['5 children an agent where the pipeline does not say', '', 5],
    ['as many children as the pipeline says', 'limits: { children: 7 }', 7],
  ])('%s; one more is refused to the agent that asks', async (_, more, limit) => {
    const run = runWhole(pipeline(more), {
      files,
      script: `
replies:
  plan: [{ask: 1, calls: [${spawns(limit + 1)}], text: I wait}, {ask: 2, text: done}]
  plan>w: [{json: {summary: looked, findings: [], artifacts: []}}]
`,
    });
    await run.completes();
    expect(run.calls.filter(({ address }) => address.includes('/spawn-'))).toHaveLength(limit);
    expect(await refusals(run)).toEqual(['sessions_spawn refused']);
  });

  it('counts children that live: once one has ended, and its parent has heard of it, another may be spawned', async () => {
    const run = runWhole(pipeline('limits: { children: 1 }'), {
      files,
      script: `
replies:
  plan:
    - {ask: 1, calls: [${spawn}, ${spawn}], text: I wait}
    - {ask: 2, calls: [${spawn}, ${spawn}], text: I wait}
    - {ask: 3, text: done}
  plan>w: [{json: {summary: looked, findings: [], artifacts: []}}]
`,
    });
    await run.completes();
    const children = run.calls.filter(({ address }) => address.includes('/spawn-')).map(({ address }) => address);
    expect(children).toEqual(['plan#1~1/spawn-1', 'plan#1~1/spawn-2']);
    expect(await refusals(run)).toEqual(['sessions_spawn refused', 'sessions_spawn refused']);
  });

  it('an agent that spawns without end comes to one', async () => {
    const run = runWhole(pipeline('limits: { children: 1 }'), {
      files,
      script: `replies:\n  plan: [{calls: [${spawn}], text: on}]\n  plan>w: [{json: {summary: looked, findings: [], artifacts: []}}]\n`,
    });
    await run.completes();
    expect(run.calls.filter(({ address }) => address.includes('/spawn-'))).toHaveLength(100);
    expect(await refusals(run)).toEqual(['sessions_spawn refused']);
  });

  it('so many agents of a pipeline are in flight at once over all its runs, as the settings say', async () => {
    const slots = new FleetSlotFiles(scratchFolder());
    const another = { workflowId: 'another-run', run: 'first', step: 'work#1~1' };
    expect(await slots.take('p', another, 1)).toMatchObject({ taken: true });
    const run = runWhole(pipeline(), {
      files,
      script: 'replies:\n  plan: [{text: done}]\n',
      toolbox: { slots, agentsInFlight: 1 },
    });
    await run.quiet(() => run.status().steps.some(({ waitingFor }) => waitingFor !== undefined));
    expect(run.requests).toEqual([]);
    const next = await slots.give('p', another, 1);
    expect(next).toMatchObject([{ workflowId: 'p-test', step: 'plan#1~1' }]);
    for (const { step } of next) run.signal('thermidor:spawned', { step });
    await run.completes();
  });

  it('more than 20 children are refused when the pipeline is compiled', async () => {
    const run = runWhole(pipeline('limits: { children: 21 }'), { files });
    await expect(run.result).rejects.toMatchObject({ code: 'pipeline.invalid' });
  });

  it('a child spawns nothing if the depth is 1, and is offered nothing to do it with', async () => {
    const run = runWhole(pipeline(), {
      files,
      script: `
replies:
  plan: [{ask: 1, calls: [${spawn}], text: I wait}, {ask: 2, text: done}]
  plan>w: [{calls: [${spawn}], json: {summary: looked, findings: [], artifacts: []}}]
`,
    });
    await run.completes();
    expect(offered(run, 1)).toEqual([]);
    expect(await refusals(run)).toEqual(['sessions_spawn refused']);
  });

  it('a child gets the four tools if the depth is 2, and its own children none', async () => {
    const run = runWhole(pipeline('limits: { depth: 2 }'), {
      files,
      script: `
replies:
  plan: [{ask: 1, calls: [${spawn}], text: I wait}, {ask: 2, text: done}]
  plan>w:
    - {iteration: [1], ask: 1, calls: [${spawn}], text: I wait}
    - {iteration: [1], ask: 2, json: {summary: looked, findings: [], artifacts: []}}
    - {iteration: [1, 1], json: {summary: seen, findings: [], artifacts: []}}
`,
    });
    await run.completes();
    expect(offered(run, 1).sort()).toEqual(['sessions_history', 'sessions_list', 'sessions_spawn', 'subagents']);
    expect(offered(run, 2)).toEqual([]);
  });

  it('a depth over 5 is refused when the pipeline is compiled', async () => {
    await expect(runWhole(pipeline('limits: { depth: 6 }'), { files }).result).rejects.toMatchObject({ code: 'pipeline.invalid' });
  });

  it('8 are in flight at once, children too, if the pipeline does not say', async () => {
    let most: number | undefined;
    let now = 0;
    const begun = () => run.calls.filter(({ name }) => name === 'agent').length;
    let full: () => void = () => undefined;
    const eight = new Promise<void>((resolve) => {
      full = resolve;
    });
    const agents = Array.from({ length: 12 }, (_, i) => `  - {id: s${i}, agent: w, depends_on: []}`).join('\n');
    const counting = {
      name: 'scripted',
      async *run() {
        now += 1;
        // Agents beyond the limit would have the time to begin.
        if (now === 8) void run.settle().then(full);
        await eight;
        most ??= begun();
        yield { role: 'assistant' as const, text: 'done' };
      },
    };
    const run = runWhole(`steps:\n${agents}\n`, { toolbox: { adapters: new Map([['scripted', counting]]) } });
    await run.completes();
    expect(most).toBe(8);
  });

  /** Far more turns than all need to begin: if the limit is too low, the test fails and does not hang. */
  const MOST_TURNS = 1000;

  it.each([
    ['5 where the pipeline does not say', '', 5],
    ['as many as it says', 'limits: { children: 2 }', 2],
    ['no more than are in flight at all', 'limits: { children: 7, concurrent: 3 }', 3],
  ])('agents of steps are their owner’s children, and no more are in flight at once: %s', async (_, more, limit) => {
    const atWork = { now: 0, most: 0 };
    const counting = {
      name: 'scripted',
      async *run() {
        atWork.now += 1;
        atWork.most = Math.max(atWork.most, atWork.now);
        // No agent ends before the limit is reached; after that, agents beyond the limit would have the time to begin.
        for (let turn = 0; turn < MOST_TURNS && atWork.most < limit; turn++) await run.settle();
        await run.settle();
        await run.settle();
        atWork.now -= 1;
        yield { role: 'assistant' as const, text: 'done' };
      },
    };
    const steps = Array.from({ length: 8 }, (_none, i) => `  - {id: s${i}, agent: w, action: spawn, depends_on: []}`).join('\n');
    const source = `owner: lead\nagents: { w: { role: Writes. } }\n${more}\nsteps:\n${steps}\n  - {id: c, run: 'true', depends_on: []}\n`;
    const run = runWhole(source, { files, toolbox: { adapters: new Map([['scripted', counting]]) } });
    await run.completes();
    expect(run.calls.filter(({ name }) => name === 'agent')).toHaveLength(8);
    expect(atWork.most).toBe(limit);
  });

  it('counts what the owner spawns itself and the agents of its steps together', async () => {
    const atWork = { now: 0, most: 0 };
    const script = new ScriptedAdapter();
    const counting: AgentAdapter = {
      name: 'scripted',
      async *run(request, signal) {
        const isChild = request.agent.id === 'w';
        if (isChild) atWork.now += 1;
        atWork.most = Math.max(atWork.most, atWork.now);
        if (isChild) for (let n = 0; n < 3; n++) await run.settle();
        if (isChild) atWork.now -= 1;
        yield* script.run(request, signal);
      },
    };
    const steps = [1, 2, 3].map((n) => `  - {id: s${n}, agent: w, action: spawn, depends_on: []}`).join('\n');
    const plan = '  - {id: plan, agent: lead, action: self, output: Plan.md, depends_on: []}';
    const run = runWhole(`owner: lead\nagents: { w: { role: Writes. } }\nlimits: { children: 3 }\nsteps:\n${plan}\n${steps}\n`, {
      files,
      toolbox: { adapters: new Map([['scripted', counting]]) },
      script: `
replies:
  plan: [{ask: 1, calls: [${spawns(3)}], text: I wait}, {text: done}]
  s1: [{text: one}]
  s2: [{text: two}]
  s3: [{text: three}]
  plan>w: [{json: {summary: looked, findings: [], artifacts: []}}]
`,
    });
    await run.completes();
    expect(run.calls.filter(({ address }) => address.includes('/spawn-'))).toHaveLength(3);
    expect(atWork.most).toBeLessThanOrEqual(3);
  });
});
