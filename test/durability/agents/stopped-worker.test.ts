import { mkdirSync } from 'node:fs';
import { Connection } from '@temporalio/client';
import { failLostActivities } from '../../../cli/embedded/fail-lost-activities';
import type { RunView } from '../../../plan/run/status';
import { LedgerFiles } from '../../../records/directory/ledger-files';
import { identifyProcess } from '../../../records/locks/process-identity';
import { readLine, transcriptLog } from '../../../records/transcripts/transcript-log';
import { type AgentPrograms, agentPrograms } from '../../support/agent-programs/programs';
import { call, type MessagesReply, say } from '../../support/messages-server/served';
import type { Received } from '../../support/model-server/received';
import type { Served } from '../../support/model-server/served';
import { inSweep } from '../../support/sweep';
import type { Program } from '../support/program';
import { startDetached, status, turnsOf, untilStatus } from '../support/runs';
import { SET_UP_MS } from '../support/scratch';
import { until } from '../support/until';
import { type LiveScratch, liveScratch } from './service';

/**
 * A worker that is stopped (SIGSTOP) with four agents running: one awaits a reply, one a program of its own, one a program that a tool
 * runs, one a tool of a server. It is taken for lost, another worker does the rest, and then the first one continues (SIGCONT). Each piece
 * of its work ends while it is stopped, so it finds an answer for each.
 */
const PIPELINE = `name: stopped
steps:
  - {id: start, run: "true"}
  - {id: reply, agent: clerk, queue: desk, depends_on: [start], output: A.md}
  - {id: program, agent: claude_clerk, queue: desk, depends_on: [start], output: B.md}
  - {id: tool, agent: runner, queue: desk, depends_on: [start], output: C.md}
  - {id: server, agent: teller, queue: desk, depends_on: [start], output: D.md}
`;
/** A pipeline that completes if a worker has four free places. */
const FREE = `name: free
steps:
${['a', 'b', 'c', 'd'].map((id) => `  - {id: ${id}, queue: desk, depends_on: [], run: "echo $$ >> $BEGAN; while [ $(wc -l < $BEGAN) -lt 4 ]; do sleep 0.02; done", env: {BEGAN: "%BEGAN%"}}`).join('\n')}
`;
const STEPS = ['reply', 'program', 'tool', 'server'] as const;
/** A server of tools that notes each call and answers when the test allows it. */
const BANK = `
const { appendFileSync, existsSync } = require('node:fs');
const [, , noted, may] = process.argv;
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize')
    say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'bank', version: '1' } });
  else if (method === 'tools/list') say(id, { tools: [{ name: 'pay', description: 'pays', inputSchema: { type: 'object' } }] });
  else if (method === 'tools/call') {
    appendFileSync(noted, process.pid + '\\n');
    const look = setInterval(() => {
      if (!existsSync(may)) return;
      clearInterval(look);
      say(id, { content: [{ type: 'text', text: 'paid' }] });
    }, 20);
  }
});
`;

let live: LiveScratch;
let fake: AgentPrograms;
let standsStill = false;
let answerLate: (reply: MessagesReply) => void;
let first: Program;
let run: string;
let ended: RunView;
let atEnd: Record<string, unknown>;

beforeAll(async () => {
  live = await liveScratch();
  const { scratch, server } = live;
  live.serve(serve);
  mkdirSync(scratch.path('fake'));
  fake = agentPrograms(scratch.path('fake'));
  const glob = { calls: [{ tool: 'Glob', args: { pattern: '*' } }] };
  fake.play({ replies: [glob, glob, { text: 'looked' }], faults: [{ at: 2, kind: 'silent' }] });
  void fake.still().then(() => {
    standsStill = true;
  });
  const { command, env } = fake.spec('claude');
  const bank = scratch.write('bank.cjs', BANK);
  const settings = {
    default_adapter: 'anthropic',
    adapters: { anthropic: { base_url: server.url, model: 'model-1' }, claude: { command, env } },
    mcp: { bank: { command: [process.execPath, bank, scratch.path('payments'), scratch.path('may')] } },
  };
  scratch.write('thermidor.yaml', JSON.stringify(settings));
  scratch.write('pipelines/agents/clerk.yaml', 'role: You look through the folder.\ntools: [list_files]\n');
  scratch.write('pipelines/agents/claude_clerk.yaml', 'role: You look.\ntools: [list_files]\nadapter: claude\n');
  scratch.write('pipelines/agents/runner.yaml', 'role: You run a program.\ntools: [run]\n');
  scratch.write('pipelines/agents/teller.yaml', 'role: You pay.\ntools: [mcp__bank__pay]\n');
  scratch.write('pipelines/stopped.yaml', PIPELINE);
  scratch.write('pipelines/free.yaml', FREE.replaceAll('%BEGAN%', scratch.path('began')));
  await stopAndGoOn();
}, SET_UP_MS);

afterAll(async () => {
  first?.signal('SIGCONT');
  await live.close();
  fake.close();
});

function serve({ idempotencyKey, turn }: Received): Served<MessagesReply> | Promise<Served<MessagesReply>> {
  switch (stepOf(idempotencyKey)) {
    case 'reply':
      if (turn === 1) return call(['list_files', {}]);
      return asked('reply').length > 2 ? say('looked') : new Promise((resolve) => (answerLate = resolve));
    case 'tool': {
      const { scratch } = live;
      const wait = `echo $$ >> '${scratch.path('pids')}'; while [ ! -e '${scratch.path('may')}' ]; do sleep 0.02; done`;
      return turn === 1 ? call(['run', { argv: ['sh', '-c', wait] }]) : say('ran');
    }
    default:
      return turn === 1 ? call(['mcp__bank__pay', {}]) : say('paid');
  }
}

function stepOf(idempotencyKey: string): string {
  return /\/(\w+)#/.exec(idempotencyKey)?.[1] ?? '';
}

function asked(id: string): Received[] {
  return live.server.requests.filter(({ idempotencyKey }) => stepOf(idempotencyKey) === id);
}

async function stopAndGoOn(): Promise<void> {
  const { scratch } = live;
  const address = await scratch.keepServer();
  const desk = (): Program => scratch.thermidor('worker', '--address', address, '--queues', 'desk', '--agents', String(STEPS.length));
  scratch.thermidor('worker', '--address', address);
  // All its places are taken by then, so it takes no task that is tried again.
  first = desk();
  run = await startDetached(scratch, 'stopped', '--live', '--address', address);
  await first.until('each agent is running', () => {
    // Its next reply builds on what is recorded by then.
    const isProgram = standsStill && turnsOf(scratch, run, 'program#1~1').some(({ role }) => role === 'tool');
    return isProgram && asked('reply').length === 2 && scratch.lines('pids').length > 0 && scratch.lines('payments').length > 0;
  });
  first.signal('SIGSTOP');
  scratch.write('may', '');
  const identity = /worker (\S+) at/.exec(first.err)?.[1] ?? '';
  const connection = await Connection.connect({ address });
  const lost = { connection, namespace: 'default', lostWorkers: [identity], identity: 'test' };
  // Fails them as a heartbeat timeout would, which takes half a minute.
  expect(await failLostActivities(lost)).toHaveLength(STEPS.length);
  await connection.close();
  const second = desk();
  ended = await untilStatus(scratch, run, 'it has ended', ({ state }) => state !== 'running');
  atEnd = await written();
  // The work for which it waits ends, and the worker must notice that.
  answerLate(say('too late'));
  await fake.go();
  // Nor does the server tell it that nobody waits for it: if that were the only guard, what it wrote would count.
  const { pid } = await scratch.server();
  process.kill(pid, 'SIGSTOP');
  try {
    first.signal('SIGCONT');
    // It ends the server of tools that it has started once it is done with that agent.
    const bank = Number(scratch.lines('payments')[0]);
    await until('it has heard', () => identifyProcess(bank) === undefined);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  // Once it takes four others, all alone, it is done with these four.
  await second.kill();
  const others = await startDetached(scratch, 'free', '--address', address);
  await untilStatus(scratch, others, 'it has ended', ({ state }) => state === 'completed');
}

/** The ledger's effective entries about the four. */
async function written(): Promise<Record<string, unknown>> {
  const { scratch } = live;
  const ledger = new LedgerFiles(scratch.stateDir);
  const key = { workflowId: run, run: (await status(scratch, run)).firstRunId };
  const of = async (id: string) => {
    const call = `${id}#1~1`;
    const log = (name: string) => ledger.lines(key, name);
    return [id, { transcript: await log(transcriptLog(call)), account: await log(`${call}/account`), result: await ledger.get(key, call) }];
  };
  return Object.fromEntries(await Promise.all(STEPS.map(of)));
}

inSweep.test('the run ends as if nothing had happened, in the first try of each step', () => {
  expect(ended.state).toBe('completed');
  expect(ended.steps.slice(1).map(({ address, state }) => [address, state])).toEqual(STEPS.map((id) => [id, 'done']));
  expect(live.server.problems).toEqual([]);
});

inSweep.test('what the first worker finds when it goes on changes nothing in the ledger', async () => {
  expect(await written()).toEqual(atEnd);
});

inSweep.test.each(STEPS)('the transcript of "%s" is one line of history: each call has one result, and no reply is there twice', (id) => {
  const { transcript } = atEnd[id] as { transcript: never[] };
  const turns = transcript.flatMap((line) => {
    const said = readLine(line);
    return said && 'turn' in said ? [said.turn] : [];
  });
  const calls = turns.flatMap((turn) => turn.calls ?? []).map((one) => one.id);
  expect(new Set(calls).size).toBe(calls.length);
  expect(turns.flatMap(({ role, call: made }) => (role === 'tool' ? (made?.id ?? []) : []))).toEqual(calls);
  expect(turns.at(-1)).toMatchObject({ role: 'assistant' });
  expect(turns.filter(({ role }) => role === 'user')).toHaveLength(1);
});

inSweep.test('nothing is done twice but what was in flight, and a program that a tool began is not begun again', () => {
  expect(asked('reply').map(({ turn }) => turn)).toEqual([1, 2, 2]);
  expect(asked('tool').map(({ turn }) => turn)).toEqual([1, 2]);
  expect(asked('server').map(({ turn }) => turn)).toEqual([1, 2]);
  expect(live.scratch.lines('pids')).toHaveLength(1);
  expect(live.scratch.lines('payments')).toHaveLength(2);
  expect(fake.running()).toEqual([]);
});

inSweep.test('no reply is paid twice in the account', async () => {
  const { total } = await live.scratch.json<{ total: { replies: number } }>('cost', run);
  const replies = Object.values(atEnd).flatMap((one) => (one as { account: unknown[] }).account);
  expect(total.replies).toBe(replies.length);
  expect(total.replies).toBe(2 + 3 + 2 + 2);
  await until('nobody asks any more', () => live.server.open() === 0);
});
