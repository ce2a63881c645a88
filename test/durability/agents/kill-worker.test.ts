import { mkdirSync } from 'node:fs';
import type { RunView } from '../../../plan/run/status';
import { field, type Json } from '../../../plan/text/json';
import { identifyProcess } from '../../../records/locks/process-identity';
import type { Turn } from '../../../records/transcripts/turn';
import { type AgentPrograms, agentPrograms } from '../../support/agent-programs/programs';
import { call, type MessagesReply, say, sayJson } from '../../support/messages-server/served';
import type { Received } from '../../support/model-server/received';
import type { Served } from '../../support/model-server/served';
import { inSweep, sweepCase } from '../../support/sweep';
import type { Program } from '../support/program';
import { runOf, status, step, turnsOf } from '../support/runs';
import { SET_UP_MS } from '../support/scratch';
import { until } from '../support/until';
import { lookingReply, TURNS } from './looking';
import { type LiveScratch, liveScratch } from './service';

/**
 * One run that loses its workers by kill -9, each in the middle of an agent's work: in the seventh of ten replies of a service and of a
 * program, with the sweep also in a tool and in a repair. Each time another worker continues where the first was. The contract tests show
 * all of it for every adapter, without processes.
 */
const KILLED_IN = 7;
const SILENCE = { kind: 'silence' } as const;

let live: LiveScratch;
let fake: AgentPrograms;
let standsStill = false;
let run: string;
let view: RunView;

beforeAll(async () => {
  live = await liveScratch();
  const { scratch } = live;
  live.serve(messagesReply);
  mkdirSync(scratch.path('fake'));
  fake = agentPrograms(scratch.path('fake'));
  const glob = { calls: [{ tool: 'Glob', args: { pattern: '*' } }] };
  const replies = [...Array.from({ length: TURNS - 1 }, () => glob), { text: 'nine looks, and nothing there' }];
  fake.play({ replies, faults: [{ at: KILLED_IN, kind: 'silent' }] });
  void fake.still().then(() => {
    standsStill = true;
  });
  const { command, env } = fake.spec('claude');
  live.set({ claude: { command, env } });
  const clerk = 'role: You look through the folder.\ntools: [list_files]\n';
  scratch.write('pipelines/agents/clerk.yaml', clerk);
  scratch.write('pipelines/agents/claude_clerk.yaml', `${clerk}adapter: claude\n`);
  scratch.write('pipelines/agents/runner.yaml', 'role: You run a program.\ntools: [run]\n');
  scratch.write('pipelines/schemas/Report.schema.json', '{"type": "object", "required": ["thesis"]}');
  scratch.write('pipelines/dying.yaml', ['name: dying\nsteps:', ...DEATHS.map(({ step }) => `  - ${step}`)].join('\n'));
  await scratch.keepServer();
  await loseWorkers();
}, SET_UP_MS);

afterAll(async () => {
  await live.close();
  fake.close();
});

function messagesReply(request: Received): Served<MessagesReply> {
  const { idempotencyKey, turn } = request;
  const again = asked(stepOf(idempotencyKey)).length;
  switch (stepOf(idempotencyKey)) {
    case 'messages':
      return again === KILLED_IN ? SILENCE : lookingReply(request);
    case 'tool':
      return turn === 1 ? call(['run', { argv: ['sh', '-c', `echo $$ >> '${live.scratch.path('pids')}'; sleep 600`] }]) : say('ran');
    default:
      if (turn === 1) return sayJson({ antithesis: 'down' });
      return again === 2 ? SILENCE : sayJson({ thesis: 'up' });
  }
}

/** `run/first run/step#round~try/ask/length`. */
function stepOf(idempotencyKey: string): string {
  return /\/(\w+)#/.exec(idempotencyKey)?.[1] ?? '';
}

function asked(id: string): Received[] {
  return live.server.requests.filter(({ idempotencyKey }) => stepOf(idempotencyKey) === id);
}

function recorded(id: string): Turn[] {
  return turnsOf(live.scratch, run, `${id}#1~1`);
}

interface Death {
  step: string;
  what: string;
  isSo(): boolean;
}

const IN_REPLIES: readonly Death[] = [
  {
    step: '{id: messages, agent: clerk, output: A.md}',
    what: 'the seventh reply of a service is awaited',
    isSo: () => asked('messages').length === KILLED_IN,
  },
  {
    step: '{id: program, agent: claude_clerk, depends_on: [messages], output: C.md}',
    what: 'a program is at its seventh reply, and what it said before is recorded',
    // It waits for nobody before, because its next reply builds only on what is recorded by then. It must reach this point, at which it
    // waits once.
    isSo: () => standsStill && recorded('program').filter(({ role }) => role === 'tool').length === KILLED_IN - 1,
  },
];
const ELSEWHERE: readonly Death[] = [
  {
    step: '{id: tool, agent: runner, depends_on: [program], output: D.md}',
    what: 'a tool runs',
    isSo: () => live.scratch.lines('pids').length > 0,
  },
  {
    step: '{id: repair, agent: clerk, depends_on: [tool], output: Report.json}',
    what: 'a repair is awaited',
    isSo: () => asked('repair').length === 2,
  },
];
const DEATHS = sweepCase(IN_REPLIES, [...IN_REPLIES, ...ELSEWHERE]);

async function loseWorkers(): Promise<void> {
  const { scratch } = live;
  for (const [i, { what, isSo }] of DEATHS.entries()) {
    const working: Program = i === 0 ? scratch.thermidor('run', 'dying', '--live') : scratch.thermidor('watch', run);
    if (i === 0) run = await runOf(working);
    await working.until(what, isSo);
    await working.kill();
  }
  await scratch.follow('watch', run).endsWith(0);
  view = await status(scratch, run);
}

test('it ends as if nothing had happened', () => {
  expect(view.state).toBe('completed');
  // Each is in its first try.
  const ids = sweepCase(['messages', 'program'], ['messages', 'program', 'tool', 'repair']);
  expect(view.steps.map(({ address, state }) => [address, state])).toEqual(ids.map((id) => [id, 'done']));
  expect(live.server.problems).toEqual([]);
});

test(`in turn ${KILLED_IN} of ${TURNS}: the next asks for that reply, as it was asked for, and for none before it`, () => {
  const requests = asked('messages');
  expect(requests.map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10]);
  const [inFlight, again] = requests.slice(KILLED_IN - 1, KILLED_IN + 1);
  expect(again?.idempotencyKey).toBe(inFlight?.idempotencyKey);
  expect(messagesOf(again)).toEqual(messagesOf(inFlight));
  expect(step(view, 'messages').usage).toMatchObject({ inputTokens: 10 * TURNS });
});

test('of a program: it dies with its worker, and the next goes on in its session, which pays for no reply again', () => {
  const [first, second, ...more] = fake.asked();
  expect(more).toEqual([]);
  expect(second).toMatchObject({ resumed: true, session: first?.session });
  expect(fake.paid()).toBe(TURNS);
  expect(fake.running()).toEqual([]);
});

inSweep.test('in a tool: the program that it ran dies with the worker, is not begun twice, and no reply is asked for again', async () => {
  const pids = live.scratch.lines('pids');
  expect(pids).toHaveLength(1);
  await until('it is gone', () => identifyProcess(Number(pids[0])) === undefined);
  expect(asked('tool').map(({ turn }) => turn)).toEqual([1, 2]);
});

inSweep.test('in a repair: the repair is asked for again, and the task is not', () => {
  expect(asked('repair').map(({ turn }) => turn)).toEqual([1, 2, 2]);
  const [, inFlight, again] = asked('repair');
  expect(again?.idempotencyKey).toBe(inFlight?.idempotencyKey);
  expect(step(view, 'repair').usage).toMatchObject({ inputTokens: 20 });
});

test('no more is paid for than without it', () => {
  expect(live.server.paid() + fake.paid()).toBe(TURNS + TURNS + sweepCase(0, 2 + 2));
});

function messagesOf({ body }: { body?: Json } = {}): Json | undefined {
  return field(body, 'messages');
}
