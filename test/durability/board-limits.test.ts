import type { JournalEntry } from '../../plan/run/journal';
import { field } from '../../plan/text/json';
import { call } from '../support/messages-server/served';
import { fail } from '../support/model-server/served';
import { inSweep } from '../support/sweep';
import { type LiveScratch, liveScratch, requestsOf } from './agents/service';
import { journal, runOf, untilStatus } from './support/runs';
import { type Scratch, SET_UP_MS } from './support/scratch';

/** What a service refuses for a while, and what budgets of tasks refuse: no member fails by that. */
let live: LiveScratch;
let scratch: Scratch;

beforeAll(async () => {
  live = await liveScratch();
  scratch = live.scratch;
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(() => live.close());

type BoardEntry = Extract<JournalEntry, { kind: 'board' }>;

const events = async (run: string): Promise<string[]> =>
  (await journal(scratch, run)).flatMap((entry) => (entry.kind === 'board' ? [(entry satisfies BoardEntry).event] : []));

function writeTeam(name: string, board: object): void {
  const members = [{ name: 'alice', agent: 'worker' }];
  const step = { id: 'team', type: 'board', idle_timeout: '1s', members, ...board };
  const agents = { worker: { role: 'You work.', tools: ['list_files'] } };
  scratch.write(`pipelines/${name}.yaml`, JSON.stringify({ name, agents, steps: [step], output: 'team' }));
}

/** The task of a WORK's first message: null in a request that has results of calls. */
function taskIn(body: unknown): number | null {
  const last = JSON.stringify([field(body as never, 'messages') ?? []].flat().at(-1));
  const [, number] = /Task #(\d+):/.exec(last) ?? [];
  return number === undefined ? null : Number(number);
}

inSweep.test(
  'a service that is overloaded makes a member wait for as long as it says: it has not failed, and its task is not given back',
  async () => {
    writeTeam('busy', { tasks: [{ subject: 'One' }], attempts: 1 });
    const asked: { key: string; atMs: number }[] = [];
    live.serve(({ idempotencyKey, body }) => {
      asked.push({ key: idempotencyKey, atMs: Date.now() });
      if (taskIn(body) !== null) return call(['list_tasks', {}]);
      if (asked.length <= 3) return fail(529, 'Overloaded', { type: 'overloaded_error', headers: { 'retry-after': '2' } });
      return call(['complete_task', {}], ['idle', {}]);
    });
    const run = await runOf(scratch.follow('run', 'busy', '--live'));
    const { steps } = await untilStatus(scratch, run, 'it is completed', ({ state }) => state === 'completed');
    expect(steps.flatMap(({ board }) => board?.tasks ?? [])).toMatchObject([{ status: 'completed', attempt: 1 }]);
    const told = await events(run);
    expect(told.filter((event) => event === 'claimed' || event === 'completed')).toEqual(['claimed', 'completed']);
    expect(told.filter((event) => event === 'failed' || event === 'returned' || event === 'held')).toEqual([]);
    // The reply before is not asked for again, and nothing is asked before its time.
    expect(new Set(requestsOf(live, run)).size).toBe(2);
    const refused = asked.slice(1).map(({ atMs }) => atMs);
    expect(refused).toHaveLength(3);
    for (const [i, atMs] of refused.slice(1).entries()) expect(atMs - (refused[i] ?? 0)).toBeGreaterThanOrEqual(1900);
  },
);

inSweep.test('the budget of a task ends its WORK, and a person gives it a fresh one: what the member has said is still there', async () => {
  writeTeam('dear', { tasks: [{ subject: 'One' }], task_budget: { tokens: 40_000 } });
  let isGenerous = false;
  const bodies: string[] = [];
  live.serve(({ body }) => {
    bodies.push(JSON.stringify(body));
    if (isGenerous) return call(['complete_task', { task_id: 1 }], ['idle', {}]);
    return { ...call(['list_files', { pattern: '*.dear' }]), usage: { input: 30_000, output: 100 } };
  });
  const run = await runOf(scratch.follow('run', 'dear', '--live'));
  const held = await untilStatus(scratch, run, 'a person is asked', ({ gates }) => gates.length > 0);
  const [gate] = held.gates;
  expect(gate).toMatchObject({ step: 'team[1]/team_person' });
  const paid = requestsOf(live, run).length;
  isGenerous = true;
  await scratch.thermidor('approve', run, gate?.step ?? '').endsWith(0);
  await untilStatus(scratch, run, 'it is completed', ({ state }) => state === 'completed');
  const told = (await journal(scratch, run)).filter((entry) => entry.kind === 'board');
  expect(told).toContainEqual(expect.objectContaining({ event: 'work-ended', end: 'spent' }));
  expect(told).toContainEqual(
    expect.objectContaining({ event: 'returned', reason: expect.stringMatching(/^its budget is used up: \d+ of 40000 tokens/) }),
  );
  expect(told.map((entry) => ('event' in entry ? entry.event : ''))).not.toContain('failed');
  // One more reply does it; it begins with the conversation that the budget had ended.
  expect(requestsOf(live, run)).toHaveLength(paid + 1);
  expect(bodies.at(-1)).toContain('*.dear');
  expect(live.server.problems).toEqual([]);
});

inSweep.test('a member whose model refuses the key is failed, and is started again with what it had said', async () => {
  writeTeam('locked', { tasks: [{ subject: 'One' }], attempts: 1 });
  let isOpen = false;
  const bodies: string[] = [];
  live.serve(({ body }) => {
    bodies.push(JSON.stringify(body));
    if (isOpen) return call(['complete_task', { task_id: 1 }], ['idle', {}]);
    if (bodies.length === 1) return { ...call(['list_files', { pattern: '*.said' }]) };
    return fail(401, 'invalid key', { type: 'authentication_error' });
  });
  const run = await runOf(scratch.follow('run', 'locked', '--live'));
  const held = await untilStatus(scratch, run, 'a person is asked', ({ gates }) => gates.length > 0);
  expect(await events(run)).toContain('failed');
  isOpen = true;
  await scratch.thermidor('approve', run, held.gates[0]?.step ?? '').endsWith(0);
  await untilStatus(scratch, run, 'it is completed', ({ state }) => state === 'completed');
  expect(bodies.at(-1)).toContain('*.said');
});
