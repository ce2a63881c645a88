import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@temporalio/client';
import { connectClient, type ThermidorClient } from '../../client/connect';
import type { RunView } from '../../plan/run/status';
import { newRepository, sh } from '../git/scene';
import { inSweep } from '../support/sweep';
import { Scratch, SET_UP_MS } from './support/scratch';
import { startSuggestingServer } from './support/suggesting-server';
import { until } from './support/until';

/**
 * A run goes on in a fresh execution from each of its waits, on a real server that suggests it early: what it waits for is unchanged, and
 * nothing is done twice. Most of the time nothing happens, so all of them wait side by side. Commands count themselves outside of the run;
 * agents by the tokens that they say they have used.
 */
const EVENTS = 60;
const TEST_MS = 300_000;

let scratch: Scratch;
let connection: ThermidorClient;
let client: Client;

/** Channels by the path of their hook; each fails until it is mended. */
const mended = new Set<string>();
const delivered: string[] = [];
const hook = createServer((request: IncomingMessage, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (mended.has(request.url ?? '')) delivered.push(Buffer.concat(chunks).toString());
    else response.statusCode = 503;
    response.end();
  });
});

beforeAll(async () => {
  const settings: NodeJS.ProcessEnv = {};
  scratch = await Scratch.make(settings);
  const address = await startSuggestingServer(scratch, EVENTS);
  settings['TEMPORAL_ADDRESS'] = address;
  settings['THERMIDOR_WORKTREES'] = scratch.path('trees');
  connection = await connectClient({ address, namespace: 'default' });
  client = connection.temporal;
  await new Promise<void>((resolve) => {
    hook.listen(0, '127.0.0.1', resolve);
  });
  const { port } = hook.address() as AddressInfo;
  const webhook = (path: string) => ({ webhook: `http://127.0.0.1:${port}${path}` });
  scratch.write(
    'thermidor.yaml',
    JSON.stringify({
      channels: { '#desk': webhook('/desk'), '#news': webhook('/news') },
      agents_in_flight: 1,
      queues: { lib: { repo: 'lib', branch: 'main', test: `until test -e '${scratch.path('go')}'; do sleep 0.2; done` } },
    }),
  );
  scratch.follow('worker');
}, SET_UP_MS);
afterAll(async () => {
  hook.close();
  await connection.close();
  await scratch.close();
});

interface Played {
  handle: ReturnType<Client['workflow']['getHandle']>;
  /** When the run is in the described state, makes it continue in a fresh execution, which must reach the same state. */
  waiting(what: string, fits: (view: RunView) => boolean): Promise<void>;
  gate(step: string): Promise<void>;
  signal(name: string, payload?: object): Promise<void>;
  update(name: string, payload: object): Promise<unknown>;
  /** The run's view at its end. */
  ended(): Promise<RunView>;
}

const at = (id: string, state: string) => (view: RunView) => view.steps.some((step) => step.id === id && step.state === state);

async function play(file: string, source: string, script?: string, name = file.replace(/\..*$/, '')): Promise<Played> {
  const path = scratch.write(`pipelines/${file}`, source.replaceAll('LEDGER', scratch.path(`ledger-${file}`)));
  if (script !== undefined) scratch.write(`pipelines/scripts/${name}.yaml`, `replies:\n${script}`);
  const { run } = await scratch.json<{ run: string }>('run', path, ...(script === undefined ? [] : ['--script', name]), '--detach');
  const handle = client.workflow.getHandle(run);
  const status = () => connection.call(() => handle.query<RunView>('status')).catch(() => undefined);
  const stands = (what: string, fits: (view: RunView) => boolean) =>
    until(`${run}: ${what}`, async () => {
      const view = await status();
      return view !== undefined && fits(view);
    });
  const played: Played = {
    handle,
    async waiting(what, fits) {
      await stands(what, fits);
      await freshExecution(run);
      await stands(`${what}, again`, fits);
    },
    gate: (step) => played.waiting(`the gate of ${step} is open`, ({ gates }) => gates.some((gate) => gate.step === step)),
    signal: (name, payload) => handle.signal(name, ...(payload === undefined ? [] : [payload])),
    update: (name, payload) => handle.executeUpdate(name, { args: [payload] }),
    async ended() {
      await stands('it ended', ({ state }) => ['completed', 'failed', 'rejected'].includes(state));
      return (await status()) ?? Promise.reject(new Error(`${run} does not answer`));
    },
  };
  return played;
}

/** Messages without effect fill the history of an execution until the next one begins. */
async function freshExecution(run: string): Promise<void> {
  const handle = client.workflow.getHandle(run);
  const execution = async () => (await connection.call(() => handle.describe())).runId;
  const before = await execution();
  await until(`${run} goes on in a fresh execution`, async () => {
    await connection.call(() => Promise.all(Array.from({ length: EVENTS / 2 }, () => handle.signal('nobody-knows-this'))));
    return (await execution()) !== before;
  });
}

const ledger = (file: string): string[] => scratch.lines(`ledger-${file}`);
const note = (id: string): string => `run: "echo ${id} >> 'LEDGER'"`;
const done = (view: RunView): string[] =>
  view.steps.filter(({ state }) => state !== 'done').map(({ address, state }) => `${address} ${state}`);

const PEOPLE = `name: people
requires_approval: {deploy: {approvers: [ann]}}
steps:
  - {id: sign, type: approval, channel: "#desk"}
  - {id: first, ${note('first')}}
  - {id: second, type: approval, approvers: [bob]}
  - {id: ask, input: {prompt: "How many?", responseSchema: {type: integer}}}
  - {id: news, wait: {signal: price, timeout: 1h}}
  - {id: told, ${note('told')}}
  - {id: build, run: "test -e '${'LEDGER'}.mended' && echo build >> 'LEDGER'", on_error: hold}
  - {id: ship, ${note('ship')}, category: deploy}
  - {id: bad, run: "echo bad >> 'LEDGER'; exit 3", on_error: escalate(human)}
  - {id: last, ${note('last')}}
`;

inSweep.concurrent(
  'what people are asked: approval, delegation, input, signal, an operator, an action of a category, escalation, a pause',
  async () => {
    const run = await play('people.yaml', PEOPLE);
    await run.gate('sign');
    mended.add('/desk');
    await until('the message is delivered', () => delivered.length > 0);
    await run.update('approve', { step: 'sign', by: 'ann' });
    await run.gate('second');
    await run.update('delegate', { step: 'second', by: 'bob', to: 'cleo' });
    await run.gate('second');
    await run.update('approve', { step: 'second', by: 'cleo' });
    await run.gate('ask');
    await run.update('respond', { step: 'ask', response: 3, by: 'ann' });
    await run.waiting('it waits for the signal', at('news', 'waiting'));
    await run.signal('pause', { by: 'ops' });
    await run.signal('price', { eur: 3 });
    await run.waiting('it is paused', ({ state }) => state === 'paused');
    await run.signal('unpause', { by: 'ops' });
    await run.waiting('it waits for an operator', at('build', 'held'));
    scratch.write('ledger-people.yaml.mended', '');
    await run.update('retry', { step: 'build', by: 'ops' });
    await run.gate('ship');
    await run.update('approve', { step: 'ship', by: 'ann' });
    await run.gate('bad');
    await run.update('approve', { step: 'bad', by: 'ann' });
    expect((await run.ended()).state).toBe('completed');
    expect(ledger('people.yaml')).toEqual(['first', 'told', 'build', 'ship', 'bad', 'last']);
    expect(delivered.filter((text) => text.includes('sign'))).toHaveLength(1);
  },
  TEST_MS,
);

const WITHIN = `name: containers
args: {urgent: {type: boolean, default: true}}
steps:
  - {id: list, run: "echo '[1,2,3]'"}
  - id: both
    type: parallel
    branches:
      - {id: left, type: approval}
      - {id: right, steps: [{id: r1, ${note('r1')}}, {id: r2, type: approval}, {id: r3, ${note('r3')}}]}
  - id: loop
    for_each: $list.json
    max_concurrent: 2
    steps:
      - {id: work, run: "echo work-\${item} >> 'LEDGER'"}
      - {id: look, type: approval, when: index == 1}
      - {id: rest, run: "echo rest-\${item} >> 'LEDGER'"}
  - id: route
    switch:
      - {id: fast, when: args.urgent, steps: [{id: f1, ${note('f1')}}, {id: f2, type: approval}]}
      - {id: slow, ${note('slow')}}
  - {id: sub, pipeline: child.yaml}
  - {id: pause, wait: 6s}
  - {id: again, run: "echo again >> 'LEDGER'; test $(grep -c again 'LEDGER') -gt 1", retry: {max: 2, delay: 6s}}
  - {id: last, ${note('last')}}
`;
const CHILD = `name: child
steps:
  - {id: c1, ${note('c1')}}
  - {id: c2, type: approval}
  - {id: c3, ${note('c3')}}
`;

inSweep.concurrent(
  'what containers wait for: branches, iterations, cases, a child pipeline, which goes on as new itself, a timer, a pause before another try',
  async () => {
    scratch.write('pipelines/child.yaml', CHILD.replaceAll('LEDGER', scratch.path('ledger-containers.yaml')));
    const run = await play('containers.yaml', WITHIN);
    await run.waiting('both branches ask', ({ gates }) => gates.length === 2);
    await run.update('approve', { step: 'both[1]/right/r2', by: 'ann' });
    await run.gate('both[0]/left');
    await run.update('approve', { step: 'both[0]/left', by: 'ann' });
    await run.gate('loop[1]/look');
    await run.update('approve', { step: 'loop[1]/look', by: 'ann' });
    await run.gate('route[0]/fast/f2');
    await run.update('approve', { step: 'route[0]/fast/f2', by: 'ann' });
    await run.gate('sub/c2');
    await freshExecution(`${run.handle.workflowId}.sub`);
    await run.update('approve', { step: 'sub/c2', by: 'ann' });
    await run.waiting('it waits a while', at('pause', 'waiting'));
    await run.waiting('it pauses before another try', (view) => view.steps.some(({ id, try: again }) => id === 'again' && again === 2));
    const view = await run.ended();
    expect(view.state).toBe('completed');
    expect(done(view)).toEqual(['route[1]/slow skipped']);
    const lines = ledger('containers.yaml');
    expect([...lines].sort()).toEqual(
      [...['r1', 'r3', 'f1', 'c1', 'c3', 'again', 'again', 'last'], ...[1, 2, 3].flatMap((n) => [`work-${n}`, `rest-${n}`])].sort(),
    );
  },
  TEST_MS,
);

const AGENTS = `name: agents
owner: lead
agents:
  lead: {role: Leads., reports_to: boss, tools: [sessions_spawn]}
  boss: {role: Decides., reports_to: human}
  w: {role: Writes.}
  r: {role: Reviews.}
  c: {role: Doubts.}
limits: {concurrent: 1}
steps:
  - {id: draft, agent: w, budget: {tokens: 100}}
  - {id: look, type: approval}
  - {id: check, type: review, of: draft, agent: r, critic: c, budget: {tokens: 120}, on_revise: {retry: draft, max: 2}, on_block: escalate(boss)}
  - {id: plan, agent: lead, action: self, output: Plan.md, budget: {tokens: 1000}}
  - {id: last, ${note('last')}}
`;
const used = (tokens: number): string => `usage: {input_tokens: ${tokens}, output_tokens: 0, cost_usd: 0.001}`;
const REPLIES = `  draft: [{text: written, ${used(400)}}]
  check: [{round: 1, json: {verdict: revise}, ${used(100)}}, {json: {verdict: block}, ${used(100)}}]
  check.critic: [{round: 1, json: {verdict: revise}, ${used(50)}}, {json: {verdict: block}, ${used(50)}}]
  check@boss: [{json: {decision: pass_on, rationale: not mine}, ${used(30)}}]
  plan:
    - {ask: 1, calls: [{tool: sessions_spawn, args: {agent: w, task: one}}, {tool: sessions_spawn, args: {agent: w, task: two}}], text: I wait, ${used(10)}}
    - {ask: 2, text: one more to come, ${used(10)}}
    - {ask: 3, text: done, ${used(10)}}
  plan>w: [{after: 3s, json: {summary: looked, findings: [], artifacts: []}, ${used(600)}}]
`;

inSweep.concurrent(
  'what agents wait for: their budget, their critic’s, each round, the chain of escalation, children that stand in line and lack budget',
  async () => {
    const run = await play('agents.yaml', AGENTS, REPLIES);
    const more = (step: string, tokens: number) => run.update('extend_budget', { step, tokens, by: 'ann' });
    const kindAt = (step: string, kind: string) =>
      run.waiting(`${step} asks: ${kind}`, ({ gates }) => gates.some((gate) => gate.step === step && gate.kind === kind));
    await kindAt('draft', 'budget');
    await more('draft', 400);
    await run.gate('look');
    await run.update('approve', { step: 'look', by: 'ann' });
    await kindAt('check', 'budget');
    await more('check', 150);
    await kindAt('draft#2', 'budget');
    await more('draft', 800);
    await run.gate('look#2');
    await run.update('approve', { step: 'look#2', by: 'ann' });
    await kindAt('check#2', 'budget');
    await more('check', 300);
    // The step that decides about it lacks budget as well.
    await kindAt('check#2', 'budget');
    await more('check', 400);
    await kindAt('check#2', 'escalation');
    await run.update('approve', { step: 'check#2', by: 'ann' });
    // By the time the next execution is there, they may have used up what there was.
    await run.waiting('its children are at work', (view) => at('plan', 'running')(view) || at('plan', 'waiting')(view));
    await kindAt('plan', 'budget');
    await more('plan', 2000);
    const view = await run.ended();
    expect(view.state).toBe('completed');
    expect(ledger('agents.yaml')).toEqual(['last']);
    const spent = Object.fromEntries(view.steps.flatMap(({ id, budget }) => (budget?.tokens ? [[id, budget.tokens.spent]] : [])));
    // Two children of 600, and two or three turns of their parent: both may have ended by its second.
    const { plan, ...others } = spent;
    expect(others).toEqual({ draft: 800, check: 330 });
    expect([1220, 1230]).toContain(plan);
  },
  TEST_MS,
);

const PIPES = {
  steps: [
    { id: 'a', pipeline: `exec --json --shell "echo a >> 'LEDGER'; echo '[{}]'" | approve --prompt one | approve --prompt two` },
    { id: 'b', run: `echo b >> 'LEDGER'`, approval: 'Ship it?' },
    { id: 'last', run: `echo last >> 'LEDGER'` },
  ],
};

inSweep.concurrent(
  'what stages of a pipe wait for, and an approval behind a step',
  async () => {
    const run = await play('pipes.lobster', JSON.stringify(PIPES));
    await run.gate('a');
    await run.update('approve', { step: 'a', by: 'ann' });
    await run.waiting('the second stage asks', ({ gates }) => gates.some(({ question }) => question === 'two'));
    await run.update('approve', { step: 'a', by: 'ann' });
    await run.gate('b');
    await run.update('approve', { step: 'b', by: 'ann' });
    expect((await run.ended()).state).toBe('completed');
    expect(ledger('pipes.lobster')).toEqual(['a', 'b', 'last']);
  },
  TEST_MS,
);

const MESSAGE = `name: message
steps:
  - {id: tell, notify: {channel: "#news", message: "the news"}, timeout: 2s, retry: {max: 2, delay: 8s}}
  - {id: last, ${note('last')}}
`;

inSweep.concurrent(
  'the retry of a message: its channel is mended while it pauses, and gets it once',
  async () => {
    const run = await play('message.yaml', MESSAGE);
    await run.waiting('it pauses before another try', (view) => view.steps.some(({ id, try: again }) => id === 'tell' && again === 2));
    mended.add('/news');
    const view = await run.ended();
    expect(view.state).toBe('completed');
    expect(delivered.filter((text) => text.includes('the news'))).toHaveLength(1);
    expect(ledger('message.yaml')).toEqual(['last']);
  },
  TEST_MS,
);

const SLOT = `name: slot
limits: {concurrent: 1}
steps:
  - id: both
    type: parallel
    branches:
      - {id: first, run: "echo first >> 'LEDGER'; test $(grep -c first 'LEDGER') -gt 1", retry: {max: 2, delay: 8s}}
      - {id: second, ${note('second')}}
`;

inSweep.concurrent(
  'the one slot of a run: the branch that has it keeps it, and the other begins once',
  async () => {
    const run = await play('slot.yaml', SLOT);
    await run.waiting('it pauses before another try', (view) => view.steps.some(({ id, try: again }) => id === 'first' && again === 2));
    expect((await run.ended()).state).toBe('completed');
    expect(ledger('slot.yaml')).toEqual(['first', 'first', 'second']);
  },
  TEST_MS,
);

const LINE = `name: line
agents: {w: {role: Works.}}
steps:
  - {id: work, agent: w}
  - {id: last, ${note('last')}}
`;

inSweep.concurrent(
  'the one slot of the fleet: an agent queues behind that of another run, and is asked once',
  async () => {
    const ahead = await play('line.yaml', LINE, `  work: [{after: 20s, text: done, ${used(100)}}]\n`, 'slow');
    await until('its agent works', async () => (await ahead.handle.describe()).raw.pendingActivities?.length === 1);
    const run = await play('line.yaml', LINE, `  work: [{text: done, ${used(100)}}]\n`, 'quick');
    await run.waiting('its agent is queued', ({ steps }) => steps.some(({ id, waitingFor }) => id === 'work' && waitingFor !== undefined));
    const [first, second] = [await ahead.ended(), await run.ended()];
    expect([first.state, second.state]).toEqual(['completed', 'completed']);
    expect([first, second].map(({ usage }) => usage?.inputTokens)).toEqual([100, 100]);
    expect(ledger('line.yaml')).toEqual(['last', 'last']);
  },
  TEST_MS,
);

const author = (id: string): string =>
  `{id: ${id}, run: "echo ${id} >> 'LEDGER'; if grep -q '<<<<' a.txt; then echo both > a.txt; else echo ${id} > a.txt; fi", worktree: {repo: REPOSITORY}, retry: {max: 2}}`;
const LAND = `name: land
steps:
  - id: work
    type: parallel
    branches:
      - ${author('one')}
      - ${author('two')}
  - {id: land, type: merge, from: [one, two], into: main}
  - {id: last, ${note('last')}}
`;

inSweep.concurrent(
  'what a merge waits for: its tickets in the queue, and the author to whom one comes back',
  async () => {
    const repository = newRepository({ 'a.txt': 'a\n' }, scratch.path('lib'));
    const run = await play('land.yaml', LAND.replaceAll('REPOSITORY', repository));
    const tickets = ({ steps }: RunView): boolean =>
      steps.some(({ id, waitingFor = '' }) => id === 'land' && /^ticket .* and 1 more ticket$/.test(waitingFor));
    await run.waiting('both have a ticket', tickets);
    scratch.write('go', '');
    expect((await run.ended()).state).toBe('completed');
    expect(sh(repository, 'show', 'main:a.txt')).toBe('both');
    expect(sh(repository, 'log', '--merges', '--format=%s', 'main').split('\n')).toHaveLength(2);
    // One of the two had a conflict, and worked once more.
    expect(ledger('land.yaml')).toHaveLength(4);
    expect(new Set(ledger('land.yaml'))).toEqual(new Set(['one', 'two', 'last']));
  },
  TEST_MS,
);
