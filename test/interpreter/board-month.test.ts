import { REFUSED_KEPT } from '../../kinds/board/state';
import type { BoardState } from '../../plan/board/board-state';
import { NAMES_KEPT, REQUESTS_KEPT, SENT_KEPT } from '../../plan/board/board-state';
import { field, type Json } from '../../plan/text/json';
import { sweepCount } from '../support/sweep';
import type { World } from '../support/world';
import { coder, type Member, notes, playBoard, type Work } from './board-play';

const DAY_MS = 86_400_000;
const FULL = 400;
const TEAM = ['alice', 'bob', 'carol'];
const OPEN_AT_ONCE = 8;

/** Each task is followed by another one. Now and then a member tells the lead, who sends somebody to rest until a later message. */
function living(tasks: number): Member {
  const workMs = (30 * DAY_MS * TEAM.length) / tasks;
  const leads = async (work: Work): Promise<void> => {
    const gone = work.input.member?.others.find(({ status }) => status === 'shutdown');
    const done = /#(\d+) is done/.exec(work.text)?.[1];
    if (gone) await work.ask({ kind: 'spawn_teammate', name: gone.name, agent: 'coder' });
    else if (done !== undefined) {
      const to = TEAM[Number(done) % TEAM.length] ?? '';
      await work.send({ type: 'shutdown_request', to, content: 'rest' });
    }
  };
  return async (work) => {
    if (work.member === 'lead') await leads(work);
    const asked = /"request_id":"([^"]+)"/.exec(work.text)?.[1];
    if (work.member !== 'lead' && asked !== undefined)
      await work.send({ type: 'shutdown_response', to: 'lead', content: 'gladly', requestId: asked, approved: true });
    const number = Number(/Task #(\d+)/.exec(work.text)?.[1] ?? 0);
    if (number === 0) return undefined;
    await work.takes(workMs);
    const next = number + OPEN_AT_ONCE;
    if (next <= tasks) await work.ask({ kind: 'create_task', task: { name: `n${next}`, subject: `Task ${next}` } });
    if (number % 10 === 7) await work.send({ to: 'lead', content: `#${number} is done` });
    await work.ask({ kind: 'complete_task', task: number, result: { text: `done ${number}` } });
    return undefined;
  };
}

/** The lists that are full at some time, and what has no limit of its own. */
function sizesOf(state: World['states'][number]): { bounded: number[]; rest: number } {
  const { journal: _paged, ...others } = state as unknown as { journal: Json; records: Record<string, Json> };
  const { team = null } = others.records;
  const kept = field(team, 'kept');
  const board = field(kept, 'board') as unknown as BoardState;
  const { names, sent, requests, ...rest } = board;
  const refused = field(kept, 'refused');
  const asText = JSON.stringify({ ...others, records: { ...others.records, team: null } });
  const attempt = JSON.stringify(field(team, 'attempt'));
  return {
    bounded: [names.length, sent.length, requests.length, Array.isArray(refused) ? refused.length : 0],
    rest: asText.length + attempt.length + JSON.stringify(rest).length,
  };
}

test('a team of a month: what it carries, does in one execution, shows and reads does not grow with its tasks', async () => {
  const tasks = sweepCount(1000, 10_000);
  const started: number[] = [];
  const member = living(tasks);
  const played = playBoard({
    tasks: Array.from({ length: OPEN_AT_ONCE }, (_, i) => ({ name: `n${i + 1}`, subject: `Task ${i + 1}` })),
    member: (work) => {
      started.push(work.seen.call.clock.now());
      return member(work);
    },
    step: {
      until: 'stopped',
      spawns: ['coder'],
      members: [{ name: 'lead', agent: 'coder', isLead: true }, ...TEAM.map((name) => coder(name))],
    },
    activitiesPerExecution: FULL,
  });
  const { world } = played;
  const read = jest.spyOn(world.ledger, 'lines');
  await world.elapse();

  expect(((started.at(-1) ?? 0) - (started[0] ?? 0)) / DAY_MS).toBeGreaterThan(29);
  expect(new Set(notes(played, 'completed').map((entry) => field(entry as unknown as Json, 'task'))).size).toBe(tasks);
  expect(notes(played, 'spawned').length).toBeGreaterThan(tasks / 50);

  const sizes = world.states.map(sizesOf);
  for (const { bounded } of sizes)
    for (const [at, most] of [NAMES_KEPT, SENT_KEPT, REQUESTS_KEPT + TEAM.length, REFUSED_KEPT].entries())
      expect(bounded[at]).toBeLessThanOrEqual(most);
  const third = Math.ceil(sizes.length / 3);
  const most = (some: typeof sizes) => Math.max(...some.map(({ rest }) => rest));
  expect(most(sizes.slice(-third))).toBeLessThan(1.2 * most(sizes.slice(0, 2 * third)));

  const calls = new Map<string, number>();
  for (const { info } of world.calls) calls.set(info.runId, (calls.get(info.runId) ?? 0) + 1);
  expect(Math.max(...calls.values())).toBeLessThan(5 * FULL);
  expect(JSON.stringify(world.status()).length).toBeLessThan(50_000);
  const lines = await Promise.all(read.mock.results.map(async ({ value }) => ((await value) as unknown[]).length));
  expect(Math.max(...lines)).toBeLessThan(20);
});
