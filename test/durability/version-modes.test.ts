import { execFileSync } from 'node:child_process';
import type { FleetVersions } from '../../client/fleet-versions';
import type { Why } from '../../client/why';
import type { QueueView } from '../../plan/queue/queue-view';
import { inSweep } from '../support/sweep';
import { type Build, end, otherBuild, thisBuild, untilVersion, workOn } from './support/builds';
import { answerOf, startDetached, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** What `versions.test.ts` leaves out: pinned and ramping versions, merge queues, schedules and workers without a version. */
inSweep.describe('two builds', () => {
  let root: Scratch;
  let old: Build;
  let next: Build;
  const settings: NodeJS.ProcessEnv = {};

  beforeAll(async () => {
    root = await Scratch.make(settings);
    settings['TEMPORAL_ADDRESS'] = await root.startServer({});
    old = thisBuild();
    next = otherBuild(root.path('next'));
  }, SET_UP_MS);
  afterAll(() => root.close());

  /** A folder with a task queue, and so a fleet, of its own. */
  function fleet(name: string, versions: string): Scratch {
    const scratch = root.within(name);
    settings['THERMIDOR_WORKTREES'] = root.path('trees');
    scratch.write('thermidor.yaml', `task_queue: ${name}\nversions: ${versions}\n`);
    const asks = { id: 'ask', type: 'approval', approvers: ['ann'] };
    const echo = (what: string) => ({ id: what, run: `echo ${what} >> '${scratch.path('effects')}'`, queue: 'gpu' });
    scratch.write('pipelines/kid.yaml', JSON.stringify({ name: 'kid', steps: [echo('within')] }));
    const steps = [asks, { id: 'kid', pipeline: 'kid.yaml' }, echo('last')];
    scratch.write('pipelines/gated.yaml', JSON.stringify({ name: 'gated', steps }));
    scratch.write('pipelines/tick.yaml', JSON.stringify({ name: 'tick', trigger: { cron: '0 0 1 1 *' }, steps: [echo('tick')] }));
    return scratch;
  }

  async function begin(scratch: Scratch): Promise<string> {
    const run = await startDetached(scratch, 'gated');
    await untilStatus(scratch, run, 'it asks', ({ gates }) => gates.length > 0);
    return run;
  }

  async function finish(scratch: Scratch, run: string): Promise<void> {
    await scratch.ask('approve', run, '--by', 'ann');
    const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state !== 'running' && state !== 'waiting');
    expect(view).toMatchObject({ state: 'completed' });
  }

  async function openRuns(scratch: Scratch, { version }: Build, count: number): Promise<void> {
    await until(`${version} has ${count}`, async () => {
      const { versions } = await scratch.json<FleetVersions>('fleet', 'versions');
      return versions.find(({ build }) => build.endsWith(version))?.openRuns === count;
    });
  }

  test('a pinned run stays with its version, and can be moved once that has no worker', async () => {
    const scratch = fleet('pins', 'pinned');
    const before = workOn(scratch, old);
    await untilVersion(scratch, old, 'current');
    const stays = await begin(scratch);
    const moves = await begin(scratch);
    const after = workOn(scratch, next);
    await untilVersion(scratch, next, 'waiting');
    await scratch.ask('fleet', 'promote', next.version);
    await openRuns(scratch, old, 2);
    // Its child, and a step on the queue of a capability, need the old version, too.
    await finish(scratch, stays);
    await openRuns(scratch, old, 1);
    await end(before);
    await until('somebody misses it', async () => {
      const { reasons } = await scratch.json<Why>('why', moves);
      const needs = reasons.find(({ text }) => text.startsWith(`needs a worker of version ${old.version}`));
      return needs?.who?.includes(`thermidor fleet move ${old.version}`);
    });
    const moved = await until('it is listed', async () => {
      const answer = await scratch.json<{ moved: string[]; left: string[] }>('fleet', 'move', old.version);
      return answer.moved.length > 0 && answer;
    });
    expect(moved).toMatchObject({ moved: [moves], left: [] });
    await finish(scratch, moves);
    expect(scratch.lines('effects')).toEqual(['within', 'last', 'within', 'last']);
    await end(after);
  });

  test('a version takes a share of the runs, and gives it back; every run ends', async () => {
    const scratch = fleet('share', 'auto');
    const before = workOn(scratch, old);
    await untilVersion(scratch, old, 'current');
    const after = workOn(scratch, next);
    await untilVersion(scratch, next, 'waiting');
    expect(await scratch.ask('fleet', 'promote', next.version, '--percent', '50')).toMatchObject({ code: 0, err: '' });
    await untilVersion(scratch, next, 'ramping');
    const runs = await Promise.all(Array.from({ length: 8 }, () => begin(scratch)));
    expect(await scratch.ask('fleet', 'promote', old.version)).toMatchObject({ code: 0 });
    await untilVersion(scratch, old, 'current');
    await end(after);
    await Promise.all(runs.map((run) => finish(scratch, run)));
    await end(before);
  });

  test('a merge queue in the middle of a test, and a schedule, go over', async () => {
    const scratch = fleet('queues', 'auto');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', scratch.path('lib'), '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { encoding: 'utf8' });
    const test = `until [ -e '${scratch.path('go')}' ]; do sleep 0.2; done`;
    scratch.write('thermidor.yaml', JSON.stringify({ task_queue: 'queues', queues: { lib: { repo: 'lib', branch: 'main', test } } }));
    scratch.write('lib/a.txt', 'a\n');
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    git('checkout', '-q', '-b', 'change');
    scratch.write('lib/b.txt', 'b\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'change');
    const before = workOn(scratch, old);
    await untilVersion(scratch, old, 'current');
    expect(await scratch.ask('schedule', 'apply')).toMatchObject({ code: 0 });
    expect(await scratch.ask('queue', 'submit', 'lib', 'main', 'change')).toMatchObject({ code: 0 });
    const seen = async () => (await answerOf<{ queues: QueueView[] }>(scratch, 'queue', 'lib', 'main'))?.queues[0];
    await until('it is tested', async () => ((await seen())?.line.length ?? 0) > 0);
    const after = workOn(scratch, next);
    await untilVersion(scratch, next, 'waiting');
    await scratch.ask('fleet', 'promote', next.version);
    await end(before);
    scratch.write('go', '');
    await until('it has landed', async () => (await seen())?.done[0]?.outcome.kind === 'merged');
    expect(git('show', 'main:b.txt')).toBe('b\n');
    expect(await scratch.ask('schedule', 'trigger', 'tick')).toMatchObject({ code: 0 });
    await until('the schedule has run', () => scratch.lines('effects').includes('tick'));
    await end(after);
  });

  test('a standing team goes over while a member works, and its board outlives its run on another version', async () => {
    const scratch = fleet('crews', 'auto');
    const team = (...tasks: string[]): void => {
      const agents = { worker: { role: 'You work.', tools: ['run'] } };
      const members = [{ name: 'alice', agent: 'worker' }];
      scratch.write(
        'teams/crew.yaml',
        JSON.stringify({ name: 'crew', agents, members, tasks: tasks.map((name) => ({ name, subject: name })) }),
      );
    };
    const waits = `echo work >> '${scratch.path('effects')}'; until [ -e '${scratch.path('go')}' ]; do sleep 0.1; done`;
    const reply = (id: number) => ({
      prompt: [`Task #${id}:`],
      text: 'Done.',
      calls: [
        { tool: 'run', args: { argv: ['sh', '-c', waits] } },
        { tool: 'complete_task', args: { task_id: id, result: 'Done.' } },
      ],
    });
    scratch.write(
      'teams/scripts/crew.yaml',
      JSON.stringify({ replies: { team_worker: [reply(1), reply(2), { text: 'I have read it.' }] } }),
    );
    const untilDone = (count: number) =>
      untilStatus(scratch, 'team-crew', `${count} are done`, ({ steps }) => steps.some(({ board }) => board?.completed === count));
    team('first');
    const before = workOn(scratch, old);
    await untilVersion(scratch, old, 'current');
    expect(await scratch.ask('team', 'start', 'crew', '--script', 'crew')).toMatchObject({ code: 0 });
    await until('alice works', () => scratch.lines('effects').length > 0);
    const after = workOn(scratch, next);
    await untilVersion(scratch, next, 'waiting');
    await scratch.ask('fleet', 'promote', next.version);
    scratch.write('go', '');
    await end(before);
    await untilDone(1);
    expect(await scratch.ask('team', 'stop', 'crew')).toMatchObject({ code: 0 });
    await end(after);
    const back = workOn(scratch, old);
    await untilVersion(scratch, old, 'current');
    team('first', 'second');
    expect(await scratch.ask('team', 'start', 'crew', '--script', 'crew')).toMatchObject({ code: 0 });
    const view = await untilDone(2);
    expect(view.steps.flatMap(({ board }) => board?.tasks.map(({ subject, status }) => `${subject} ${status}`) ?? [])).toEqual([
      ...['first completed', 'second completed'],
    ]);
    await scratch.ask('team', 'stop', 'crew', '--now');
    await end(back);
  });

  test('workers without a version take over from one with a version that ends, and give way to the next', async () => {
    const scratch = fleet('mixed', 'auto');
    const versioned = workOn(scratch, old);
    await untilVersion(scratch, old, 'current');
    const run = await begin(scratch);
    scratch.write('thermidor.yaml', 'task_queue: mixed\nversions: off\n');
    const off = workOn(scratch, next);
    await until('it says that it waits', async () =>
      (await scratch.ask('fleet')).out.includes('workers with `versions: off` take no work'),
    );
    await end(versioned);
    await finish(scratch, run);
    scratch.write('thermidor.yaml', 'task_queue: mixed\nversions: auto\n');
    const back = workOn(scratch, old);
    await untilVersion(scratch, old, 'current');
    await finish(scratch, await begin(scratch));
    await end(off);
    await end(back);
  });

  test('a server that refuses versions is worked on without', async () => {
    const scratch = fleet('refused', 'auto');
    settings['TEMPORAL_ADDRESS'] = await root.startServer({ dynamic: ['system.enableDeploymentVersions=false'] });
    const worker = workOn(scratch, old);
    await until('it says so', () => worker.err.includes('the server has no versions of workers'));
    await finish(scratch, await begin(scratch));
    expect((await scratch.ask('fleet', 'promote')).err).toContain('fleet.unversioned');
    await end(worker);
  });
});
