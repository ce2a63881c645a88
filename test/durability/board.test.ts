import type { JournalEntry } from '../../plan/run/journal';
import { field } from '../../plan/text/json';
import { call } from '../support/messages-server/served';
import { inSweep } from '../support/sweep';
import { type LiveScratch, liveScratch, requestsOf } from './agents/service';
import { journal, runOf, turnsOf, untilStatus } from './support/runs';
import { type Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** A board on a real server: a team whose worker is lost goes on with what it has, and many claims of one task have one winner. */
let live: LiveScratch;
let scratch: Scratch;

beforeAll(async () => {
  live = await liveScratch();
  scratch = live.scratch;
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(() => live.close());

type BoardEntry = Extract<JournalEntry, { kind: 'board' }>;

const onBoard = (entries: readonly JournalEntry[]): BoardEntry[] => entries.flatMap((entry) => (entry.kind === 'board' ? [entry] : []));

/** A pipeline of one board, and its script. JSON is YAML. */
function writeTeam(name: string, board: object, replies: readonly object[]): void {
  const agents = { worker: { role: 'You work.', tools: ['run'] } };
  const step = { id: 'team', type: 'board', idle_timeout: '1s', ...board };
  scratch.write(`pipelines/${name}.yaml`, JSON.stringify({ name, agents, steps: [step], output: 'team' }));
  scratch.write(`pipelines/scripts/${name}.yaml`, JSON.stringify({ replies: { team_worker: replies } }));
}

/** Writes a line, and waits until it is let go. */
const waits = (name: string): object => {
  const [lines, go] = [scratch.path('lines'), scratch.path(`go-${name}`)];
  return { tool: 'run', args: { argv: ['sh', '-c', `echo ${name} >> '${lines}'; while [ ! -e '${go}' ]; do sleep 0.02; done`] } };
};
const complete = (id: number): object => ({ tool: 'complete_task', args: { task_id: id, result: `Result ${id}.` } });

test('its worker is killed while both members work: each task is completed once, and no reply or call that is recorded is made again', async () => {
  writeTeam(
    'killed',
    {
      members: ['alice', 'bob'].map((name) => ({ name, agent: 'worker' })),
      tasks: [
        { name: 'one', subject: 'One' },
        { name: 'two', subject: 'Two' },
        { name: 'three', subject: 'Three', blocked_by: ['one', 'two'] },
        { name: 'four', subject: 'Four', blocked_by: ['three'] },
      ],
    },
    [
      {
        prompt: ['Task #1:'],
        calls: [{ tool: 'send_message', args: { to: 'bob', content: 'mind the gap' } }, waits('a'), complete(1)],
        text: 'One.',
      },
      { prompt: ['Task #2:'], calls: [complete(2), waits('b')], text: 'Two.' },
      { prompt: ['Task #3:'], calls: [complete(3)], text: 'Three.' },
      { prompt: ['Task #4:'], calls: [complete(4)], text: 'Four.' },
      { text: 'I have read it.' },
    ],
  );
  const worker = scratch.thermidor('run', 'killed', '--script', 'killed');
  const run = await runOf(worker);
  await worker.until('both members are in the middle of their work', () => scratch.lines('lines').length === 2);
  await worker.kill();
  for (const name of ['a', 'b']) scratch.write(`go-${name}`, '');
  await scratch.follow('watch', run).endsWith(0);

  const entries = onBoard(await journal(scratch, run));
  const ofTasks = (event: string) => entries.flatMap((entry) => (entry.event === event && 'task' in entry ? entry.task : [])).sort();
  expect(ofTasks('claimed')).toEqual([1, 2, 3, 4]);
  expect(ofTasks('completed')).toEqual([1, 2, 3, 4]);
  expect(entries.filter(({ event }) => event === 'sent')).toHaveLength(1);
  expect(entries.filter(({ event }) => event === 'returned' || event === 'refused' || event === 'failed')).toEqual([]);
  const works = entries.flatMap((entry) => (entry.event === 'working' ? entry.work : []));
  for (const work of works) {
    const turns = turnsOf(scratch, run, `team[${work}]/team_worker#1~1`);
    expect(turns.filter(({ role, text }) => role === 'assistant' && text !== '')).toHaveLength(1);
    const made = turns.flatMap(({ calls = [] }) => calls.map(({ id }) => id));
    expect(made).toEqual([...new Set(made)]);
  }
});

inSweep.test(
  'its worker is killed while both members wait for a reply: only these two are asked for again, and idle costs none',
  async () => {
    writeTeam(
      'paid',
      {
        members: ['alice', 'bob'].map((name) => ({ name, agent: 'worker' })),
        tasks: ['One', 'Two', 'Three', 'Four'].map((subject) => ({ subject })),
      },
      [],
    );
    const silent = new Set<string>();
    live.serve(({ idempotencyKey, body }) => {
      const last = JSON.stringify([field(body, 'messages') ?? []].flat().at(-1));
      // A WORK begins with its task, in one message with what its last call of `idle` came to; then there are results of calls alone.
      const task = /Task #(\d+):/.exec(last)?.[1];
      if (task === undefined) return call(['idle', {}]);
      if (silent.size < 2 && !silent.has(idempotencyKey)) {
        silent.add(idempotencyKey);
        return { kind: 'silence' };
      }
      return call(['complete_task', { task_id: Number(task) }]);
    });
    const worker = scratch.thermidor('run', 'paid', '--live');
    const run = await runOf(worker);
    await worker.until('both members wait for a reply', () => silent.size === 2);
    await worker.kill();
    await scratch.follow('watch', run).endsWith(0);

    const asked = requestsOf(live, run);
    expect(new Set(asked).size).toBe(8);
    expect(asked.filter((key, i) => asked.indexOf(key) < i).sort()).toEqual([...silent].sort());
    expect(live.server.problems).toEqual([]);
    const completed = onBoard(await journal(scratch, run)).flatMap((entry) => (entry.event === 'completed' ? entry.task : []));
    expect(completed.sort()).toEqual([1, 2, 3, 4]);
  },
);

inSweep.test('sixteen members claim one task at once: one has it, and the others learn who', async () => {
  const names = Array.from({ length: 16 }, (_, i) => `m${i + 1}`);
  writeTeam(
    'race',
    {
      members: names.map((name) => ({ name, agent: 'worker', prompt: 'Claim the first task.' })),
      tasks: [{ name: 'only', subject: 'The only one' }],
      most_members: 16,
    },
    [
      { prompt: ['You still own #1'], calls: [waits('race'), complete(1)], text: 'It is done.' },
      { calls: [{ tool: 'claim_task', args: { task_id: 1 } }], text: 'I have tried.' },
    ],
  );
  const worker = scratch.follow('run', 'race', '--script', 'race');
  const run = await runOf(worker);
  const refusals = async () =>
    (await journal(scratch, run)).flatMap((entry) =>
      entry.kind === 'tool' && entry.tool === 'claim_task' ? [JSON.parse(entry.reason) as { refused: string; by: string }] : [],
    );
  const told = await until('fifteen members have learnt who has it', async () => {
    const all = await refusals();
    return all.length >= 15 && all;
  });
  scratch.write('go-race', '');
  await worker.endsWith(0);
  await untilStatus(scratch, run, 'it is completed', ({ state }) => state === 'completed');
  const claimed = onBoard(await journal(scratch, run)).filter(({ event }) => event === 'claimed');
  expect(claimed).toMatchObject([{ task: 1, source: 'manual' }]);
  const [{ by } = { by: '' }] = claimed as { by: string }[];
  expect(told.map(({ refused }) => refused)).toEqual(Array.from({ length: 15 }, () => 'already_claimed'));
  expect(told).toMatchObject(Array.from({ length: 15 }, () => ({ by })));
});

inSweep.test('sixteen members send messages at once while somebody watches: each arrives, and the run replays', async () => {
  const names = Array.from({ length: 16 }, (_, i) => `m${i + 1}`);
  const sends = [1, 2, 3].map((n) => ({ tool: 'send_message', args: { to: 'm1', content: `hello ${n}` } }));
  writeTeam(
    'letters',
    { members: names.map((name) => ({ name, agent: 'worker', prompt: 'Send.' })), tasks: [{ subject: 'One' }], most_members: 16 },
    [
      { prompt: ['Task #1'], calls: [waits('letters'), complete(1)], text: 'It is done.' },
      { prompt: ['Send.'], calls: sends, text: 'I have sent.' },
      { text: 'I have read.' },
    ],
  );
  const worker = scratch.follow('run', 'letters', '--script', 'letters');
  const run = await runOf(worker);
  // Each look is a query, which the server may put into the middle of a task. Nobody sends to themselves.
  const sent = async () => onBoard(await journal(scratch, run)).filter(({ event }) => event === 'sent').length;
  await until('all are sent', async () => (await sent()) === 45);
  scratch.write('go-letters', '');
  await worker.endsWith(0);
  await untilStatus(scratch, run, 'it is completed', ({ state }) => state === 'completed');
});

inSweep.test(
  'both workers are killed while a pipeline waits for a task of a team: the task is done once, and the pipeline has its result',
  async () => {
    writeTeam('helpers', { members: [{ name: 'alice', agent: 'worker' }], tasks: [{ subject: 'Zero' }], idle_timeout: '10s' }, [
      { prompt: ['Task #1:'], calls: [waits('zero'), complete(1)], text: 'Zero.' },
      { prompt: ['Task #2:'], calls: [waits('asked'), complete(2)], text: 'Two.' },
    ]);
    const ask = { id: 'ask', team: 'helpers', subject: `Look at \${args.what}`, description: `All of \${args.what}.` };
    const args = { what: { type: 'string', default: 'it' } };
    scratch.write(
      'pipelines/asking.yaml',
      JSON.stringify({ name: 'asking', owner: 'worker', agents: { worker: { role: 'You work.' } }, args, steps: [ask], output: 'ask' }),
    );
    const before = scratch.lines('lines').length;
    scratch.write('go-zero', '');

    const team = scratch.thermidor('run', 'helpers', '--script', 'helpers', '--id', 'team-helpers');
    await team.until('the team is there', () => scratch.lines('lines').length === before + 1);
    const asker = scratch.thermidor('run', 'asking');
    const asking = await runOf(asker);
    await asker.until('a member works on the task', () => scratch.lines('lines').length === before + 2);
    await Promise.all([team.kill(), asker.kill()]);
    scratch.write('go-asked', '');
    const watched = scratch.follow('watch', asking);
    await watched.endsWith(0);
    await scratch.follow('watch', 'team-helpers').endsWith(0);

    const { output } = await scratch.json<{ output: unknown }>('status', asking);
    expect(output).toEqual({ id: 2, status: 'completed', owner: 'alice', result: 'Result 2.', attempts: 1 });
    const entries = onBoard(await journal(scratch, 'team-helpers'));
    expect(entries.filter(({ event }) => event === 'created')).toMatchObject([{ task: 1 }, { task: 2, by: `run ${asking}` }]);
    expect(entries.filter(({ event }) => event === 'returned' || event === 'failed')).toEqual([]);
  },
);

inSweep.test('a task for a team that does not run fails at once, and says how to start it', async () => {
  const ask = { id: 'ask', team: 'nobody', subject: 'Look.' };
  scratch.write(
    'pipelines/lonely.yaml',
    JSON.stringify({ name: 'lonely', owner: 'worker', agents: { worker: { role: 'You work.' } }, steps: [ask] }),
  );
  const { out, err } = await scratch.thermidor('run', 'lonely').endsWith(1);
  expect(`${out}${err}`).toContain('thermidor team start nobody');
});
