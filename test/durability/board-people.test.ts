import type { JournalEntry } from '../../plan/run/journal';
import { field } from '../../plan/text/json';
import { inSweep } from '../support/sweep';
import { journal, runOf } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';

/** People and a team on a real server: what they send by commands stays over the death of the worker, and a key counts once. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(() => scratch.close());

type BoardEntry = Extract<JournalEntry, { kind: 'board' }>;

inSweep.test('tasks and messages of a person reach a team whose worker is killed', async () => {
  const [lines, go] = [scratch.path('lines'), scratch.path('go')];
  const waits = { tool: 'run', args: { argv: ['sh', '-c', `echo begun >> '${lines}'; while [ ! -e '${go}' ]; do sleep 0.02; done`] } };
  const complete = (id: number): object => ({ tool: 'complete_task', args: { task_id: id, result: `Result ${id}.` } });
  const step = {
    id: 'team',
    type: 'board',
    idle_timeout: '1s',
    members: [{ name: 'alice', agent: 'worker' }],
    tasks: [{ subject: 'One' }],
  };
  const agents = { worker: { role: 'You work.', tools: ['run'] } };
  scratch.write('pipelines/crew.yaml', JSON.stringify({ name: 'crew', agents, steps: [step], output: 'team' }));
  const replies = [
    { prompt: ['Task #1:'], calls: [waits, complete(1)], text: 'One.' },
    { prompt: ['Task #2:', 'With tests, in whole.'], calls: [complete(2)], text: 'Two.' },
    { text: 'I have read it.' },
  ];
  scratch.write('pipelines/scripts/crew.yaml', JSON.stringify({ replies: { team_worker: replies } }));

  const worker = scratch.thermidor('run', 'crew', '--script', 'crew');
  const run = await runOf(worker);
  await worker.until('alice is in the middle of its work', () => scratch.lines('lines').length === 1);
  const two = ['task', 'add', 'Two', '--team', run, '--key', 'k', '--description', 'With tests, in whole.', '--by', 'fran'];
  expect(await scratch.json(...two)).toMatchObject({ outcome: 'applied', task: 2, step: 'team' });
  await scratch.thermidor('message', run, 'alice', 'mind the gap', '--by', 'fran').endsWith(0);
  await scratch.thermidor('message', run, 'carol', 'hello').endsWith(1);
  await worker.kill();
  scratch.write('go', '');
  expect(await scratch.json(...two)).toMatchObject({ outcome: 'duplicate', task: 2 });
  await scratch.follow('watch', run).endsWith(0);

  const entries = (await journal(scratch, run)).flatMap((entry): BoardEntry[] => (entry.kind === 'board' ? [entry] : []));
  expect(entries.filter(({ event }) => event === 'created' || event === 'completed')).toMatchObject([
    { event: 'created', task: 1 },
    { event: 'created', task: 2, by: 'fran' },
    { event: 'completed', task: 1 },
    { event: 'completed', task: 2 },
  ]);
  expect(entries.filter(({ event }) => event === 'sent')).toMatchObject([{ from: 'fran', to: 'alice' }]);
  const board = await scratch.json('team', 'board', run);
  expect(board).toMatchObject({ over: 'done', completed: 2, total: 2 });
  const shown = await scratch.json('task', 'show', '2', '--team', run);
  expect(field(field(shown, 'texts'), 'description')).toBe('With tests, in whole.');
});
