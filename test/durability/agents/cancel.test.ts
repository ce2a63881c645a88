import { mkdirSync } from 'node:fs';
import { identifyProcess, isRunning } from '../../../records/locks/process-identity';
import { type AgentPrograms, agentPrograms } from '../../support/agent-programs/programs';
import { call, type MessagesReply, say, sayJson } from '../../support/messages-server/served';
import type { Received } from '../../support/model-server/received';
import { fail, type Served } from '../../support/model-server/served';
import { inSweep } from '../../support/sweep';
import { runOf, status } from '../support/runs';
import { Scratch, SET_UP_MS } from '../support/scratch';
import { until } from '../support/until';
import { type LiveScratch, liveScratch } from './service';

/** A run that is cancelled while each of its agents is in another phase of its work: none of them continues. */
const PIPELINE = `name: busy
steps:
  - {id: start, run: "true"}
  - {id: awaiting, agent: clerk, depends_on: [start], output: A.md}
  - {id: streaming, agent: clerk, depends_on: [start], output: B.md}
  - {id: tool, agent: runner, depends_on: [start], output: C.md}
  - {id: repair, agent: clerk, depends_on: [start], output: Report.json}
  - {id: limited, agent: clerk, depends_on: [start], output: D.md}
  - {id: program, agent: claude_clerk, depends_on: [start], output: E.md}
`;
let live: LiveScratch;
let fake: AgentPrograms;

beforeAll(async () => {
  live = await liveScratch({}, Scratch.onSharedServer);
  const { scratch } = live;
  live.serve(serve);
  mkdirSync(scratch.path('fake'));
  fake = agentPrograms(scratch.path('fake'));
  fake.play({ replies: [{ text: 'never said' }], faults: [{ at: 1, kind: 'silent' }] });
  const { command, env } = fake.spec('claude');
  live.set({ claude: { command, env } });
  scratch.write('pipelines/agents/clerk.yaml', 'role: You look.\n');
  scratch.write('pipelines/agents/claude_clerk.yaml', 'role: You look.\nadapter: claude\n');
  scratch.write('pipelines/agents/runner.yaml', 'role: You run a program.\ntools: [run]\n');
  scratch.write('pipelines/schemas/Report.schema.json', '{"type": "object", "required": ["thesis"]}');
  scratch.write('pipelines/busy.yaml', PIPELINE);
  scratch.follow('worker');
}, SET_UP_MS);
afterAll(async () => {
  await live.close();
  fake.close();
});

function serve({ idempotencyKey, turn }: Received): Served<MessagesReply> {
  switch (stepOf(idempotencyKey)) {
    case 'streaming':
      return say('a long reply that comes to no end', { fault: { kind: 'hang', at: 5 } });
    case 'tool':
      return call([
        'run',
        { argv: ['sh', '-c', `sleep 600 & echo $! >> '${live.scratch.path('pids')}'; echo $$ >> '${live.scratch.path('pids')}'; wait`] },
      ]);
    case 'repair':
      return turn === 1 ? sayJson({ antithesis: 'down' }) : { kind: 'silence' };
    case 'limited':
      return fail(429, 'too many', { headers: { 'retry-after': '3600' } });
    default:
      return { kind: 'silence' };
  }
}

function stepOf(idempotencyKey: string): string {
  return /\/(\w+)#/.exec(idempotencyKey)?.[1] ?? '';
}

inSweep.test('sockets, programs and what tools have started are gone, and nothing is asked for any more', async () => {
  const { scratch, server } = live;
  const running = scratch.follow('run', 'busy', '--live');
  const run = await runOf(running);
  const pids = () => [...scratch.lines('pids').map(Number), ...fake.running()];
  // Two requests of `tool`, one of the program; then those of awaiting, streaming, repair (twice), tool and limited.
  await running.until(
    'each is in its phase',
    () => pids().length === 3 && server.paid() === 3 && server.open() === 3 && server.requests.length === 6,
  );
  const marks = pids().flatMap((pid) => identifyProcess(pid) ?? []);
  expect(marks).toHaveLength(3);

  expect(await scratch.ask('cancel', run)).toMatchObject({ code: 0 });
  await until('they are gone', () => server.open() === 0 && !marks.some(isRunning));
  await running.endsWith(1);
  const view = await status(scratch, run);
  expect(view.state).toBe('cancelled');
  expect(view.steps.filter(({ state }) => state === 'running')).toEqual([]);
  expect(server.requests).toHaveLength(6);
  expect(server.problems).toEqual([]);
});
