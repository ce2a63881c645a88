import type { RunView } from '../../plan/run/status';
import { inSweep } from '../support/sweep';
import { untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** Teams on a real server: whatever dies between two runs of a team, its board and what its members know go on. */
let scratch: Scratch;
let address: string;

beforeEach(async () => {
  scratch = await Scratch.make();
  address = await scratch.keepServer();
}, SET_UP_MS);
afterEach(() => scratch.close());

const RUN = 'team-crew';

/** Writes a line, and waits until it is let go. */
const waits = (name: string): object => {
  const [lines, go] = [scratch.path('lines'), scratch.path(`go-${name}`)];
  return { tool: 'run', args: { argv: ['sh', '-c', `echo ${name} >> '${lines}'; while [ ! -e '${go}' ]; do sleep 0.02; done`] } };
};
const complete = (id: number): object => ({ tool: 'complete_task', args: { task_id: id, result: `Result ${id}.` } });
const member = (name: string, role?: string): object => ({ name, agent: 'worker', ...(role === undefined ? {} : { role }) });
const task = (name: string, more: object = {}): object => ({ name, subject: name, ...more });

function writeTeam(members: readonly object[], tasks: readonly object[], more: object = {}): void {
  const agents = { worker: { role: 'You work.', tools: ['run'] } };
  const team = { name: 'crew', agents, members, tasks, shutdown_timeout: '5s', ...more };
  scratch.write('teams/crew.yaml', JSON.stringify(team));
}

function writeScript(): void {
  const replies = [
    { prompt: ['Task #1:'], calls: [waits('one'), complete(1)], text: 'One.' },
    { prompt: ['Task #2:'], calls: [complete(2)], text: 'Two.' },
    { prompt: ['Task #3:'], calls: [waits('three'), complete(3)], text: 'Three.' },
    { prompt: ['Task #4:'], calls: [complete(4)], text: 'Four.' },
    { text: 'I have read it.' },
  ];
  scratch.write('teams/scripts/crew.yaml', JSON.stringify({ replies: { team_worker: replies } }));
}

const boardIn = ({ steps }: RunView) => steps.find(({ board }) => board)?.board;
const untilBoard = (what: string, fits: (board: NonNullable<ReturnType<typeof boardIn>>) => boolean) =>
  untilStatus(scratch, RUN, what, (view) => {
    const board = boardIn(view);
    return board !== undefined && fits(board);
  });
const tasksOf = (view: RunView) => boardIn(view)?.tasks.map(({ number, subject, status }) => `#${number} ${subject} ${status}`);
const namesOf = (view: RunView) => boardIn(view)?.members.map(({ name }) => name);

test('workers are killed, the file is edited, and the team is stopped and started: the board goes on', async () => {
  writeScript();
  writeTeam([member('alice'), member('bob')], [task('first'), task('second')]);
  const worker = scratch.thermidor('worker');
  expect(await scratch.ask('team', 'start', 'crew', '--script', 'crew')).toMatchObject({ code: 0 });
  const again = await scratch.ask('team', 'start', 'crew', '--script', 'crew');
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('already running')]);
  const before = await untilBoard('two is done while one is in progress', ({ completed }) => completed === 1);
  await worker.until('one is in progress', () => scratch.lines('lines').includes('one'));
  await worker.kill();
  scratch.write('go-one', '');
  const other = scratch.thermidor('worker');
  await untilBoard('one is done by the next worker', ({ completed }) => completed === 2);

  writeTeam([member('alice'), { name: 'carol', agent: 'nobody' }], []);
  expect(await scratch.ask('team', 'apply', 'crew')).toMatchObject({ code: 2, err: expect.stringContaining('step.unknown-agent') });
  const stillRuns = await untilBoard('nobody has asked it to end', ({ isDraining }) => isDraining === undefined);
  expect(stillRuns.firstRunId).toBe(before.firstRunId);

  writeTeam([member('alice'), member('carol', 'critic')], [task('first'), task('third', { required_role: 'critic' })]);
  expect(await scratch.ask('team', 'apply', 'crew')).toMatchObject({ code: 0, out: expect.stringContaining('started crew') });
  expect(await scratch.ask('team', 'apply', 'crew')).toMatchObject({ code: 0, out: expect.stringContaining('nothing to apply') });
  await other.until('carol is at work', () => scratch.lines('lines').includes('three'));
  await other.kill();
  const applied = await scratch.json<{ teams: object[] }>('team', 'list');
  expect(applied.teams).toMatchObject([{ team: 'crew', state: 'running', run: RUN, file: 'teams/crew.yaml' }]);
  scratch.write('go-three', '');
  const stopped = await scratch.json<object>('team', 'stop', 'crew');
  expect(stopped).toMatchObject({ state: 'completed', open: [] });
  const view = await untilStatus(scratch, RUN, 'it has ended', ({ state }) => state === 'completed');
  expect(view.firstRunId).not.toBe(before.firstRunId);
  expect(tasksOf(view)).toEqual(['#1 first completed', '#2 second completed', '#3 third completed']);
  expect(namesOf(view)).toEqual(['alice', 'carol']);

  writeTeam([member('alice')], [task('fourth'), task('fifth', { required_role: 'nobody' })]);
  scratch.follow('worker');
  await scratch.ask('team', 'start', 'crew', '--script', 'crew');
  const last = await untilBoard('four is done', ({ completed }) => completed === 4);
  expect(tasksOf(last)?.slice(3)).toEqual(['#4 fourth completed', '#5 fifth pending']);
  expect(await scratch.json<object>('team', 'stop', 'crew', '--now')).toMatchObject({ state: 'cancelled', open: [{ number: 5 }] });
});

inSweep.test('apply is killed while the team ends: the same again finishes it, and of two at once one starts the next run', async () => {
  writeScript();
  writeTeam([member('alice')], [task('first')]);
  const worker = scratch.follow('worker');
  await scratch.ask('team', 'start', 'crew', '--script', 'crew');
  await worker.until('one is in progress', () => scratch.lines('lines').includes('one'));
  writeTeam([member('alice'), member('bob')], [task('first'), task('second')], { shutdown_timeout: '60s' });
  const apply = scratch.thermidor('team', 'apply', 'crew');
  await untilBoard('it ends', ({ isDraining }) => isDraining === true);
  await apply.kill();
  scratch.write('go-one', '');
  await untilStatus(scratch, RUN, 'it has ended', ({ state }) => state === 'completed');

  const both = await Promise.all(['a', 'b'].map(() => scratch.ask('team', 'apply', 'crew')));
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const view = await untilBoard('two is done', ({ completed }) => completed === 2);
  expect(namesOf(view)).toEqual(['alice', 'bob']);
  expect(boardIn(view)?.tasks.map(({ number, attempt }) => [number, attempt])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

test('a team that is paused is not asked to end before it goes on', async () => {
  writeScript();
  writeTeam([member('alice')], [task('first')]);
  scratch.follow('worker');
  await scratch.ask('team', 'start', 'crew', '--script', 'crew');
  expect(await scratch.ask('pause', RUN)).toMatchObject({ code: 0 });
  const refused = { code: 3, err: expect.stringContaining(`thermidor unpause ${RUN}`) };
  expect(await scratch.ask('team', 'stop', 'crew')).toMatchObject(refused);
  writeTeam([member('alice'), member('bob')], [task('first')]);
  expect(await scratch.ask('team', 'apply', 'crew')).toMatchObject(refused);
  expect(boardIn(await untilStatus(scratch, RUN, 'it is paused', ({ state }) => state === 'paused'))?.isDraining).toBeUndefined();
  scratch.write('go-one', '');
  expect(await scratch.ask('unpause', RUN)).toMatchObject({ code: 0 });
  expect(await scratch.ask('team', 'stop', 'crew')).toMatchObject({ code: 0 });
});

inSweep.test('a team that ends while it is paused, with work that has not begun, ends once it goes on', async () => {
  writeScript();
  writeTeam([member('alice'), member('bob')], [], { shutdown_timeout: '1s' });
  scratch.follow('worker');
  await scratch.ask('team', 'start', 'crew', '--script', 'crew');
  await untilBoard('nobody works', ({ members }) => members.every(({ status }) => status === 'idle'));
  expect(await scratch.ask('pause', RUN)).toMatchObject({ code: 0 });
  for (const subject of ['first', 'second']) expect(await scratch.ask('task', 'add', subject, '--team', 'crew')).toMatchObject({ code: 0 });
  await scratch.temporal('workflow', 'signal', '-w', RUN, '--name', 'drain', '--address', address);
  await untilBoard('nobody has answered in time', ({ members }) => members.every(({ status }) => status === 'shutdown'));
  expect(await scratch.ask('unpause', RUN)).toMatchObject({ code: 0 });
  await untilStatus(scratch, RUN, 'it has ended', ({ state }) => state === 'completed');
});

inSweep.test('the board outlives the history of its run; a board that was not kept is not passed over in silence', async () => {
  writeScript();
  writeTeam([member('alice')], [task('first'), task('second')]);
  scratch.write('go-one', '');
  scratch.follow('worker');
  const start = (...more: string[]) => scratch.ask('team', 'start', 'crew', '--script', 'crew', ...more);
  const forget = async (): Promise<void> => {
    await scratch.temporal('workflow', 'delete', '-w', RUN, '--yes', '--address', address);
    await until('the server has forgotten it', async () => {
      const { code } = await scratch.temporal('workflow', 'describe', '-w', RUN, '--address', address);
      return code !== 0;
    });
  };
  await start();
  await untilBoard('both are done', ({ completed }) => completed === 2);
  await scratch.ask('team', 'stop', 'crew');
  await forget();
  expect(await start()).toMatchObject({ code: 0 });
  expect(tasksOf(await untilBoard('the board is there', ({ total }) => total === 2))).toEqual([
    '#1 first completed',
    '#2 second completed',
  ]);

  await scratch.temporal('workflow', 'terminate', '-w', RUN, '--address', address);
  await forget();
  expect(await start()).toMatchObject({ code: 1, err: expect.stringContaining('--anew') });
  expect(await start('--anew')).toMatchObject({ code: 0 });
  await untilBoard('all begins anew', ({ completed, total }) => completed === 2 && total === 2);
});
