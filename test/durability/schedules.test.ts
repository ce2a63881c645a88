import { existsSync } from 'node:fs';
import { untilStatus } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** `trigger:` and Temporal Schedules, against `thermidor up`. */
interface ScheduleRow {
  schedule: string;
  paused: boolean;
  lastRun?: string;
}

let scratch: Scratch;
let address: string;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  scratch.addPipelines();
  ({ address } = scratch.place);
  scratch.write(
    'pipelines/tick.yaml',
    `name: tick\ntrigger: cron "0 0 1 1 *"\nsteps:\n  - id: tick\n    run: "echo tick >> '${scratch.path('ticks')}'"\n`,
  );
  await scratch.follow('up').untilLine(/server/);
}, SET_UP_MS);
afterAll(() => scratch.close());

/** A folder with a state of its own, at the same server. */
function installation(name: string): Scratch {
  const folder = scratch.within(name);
  folder.write('thermidor.yaml', 'state_dir: state\n');
  return folder;
}

async function applied(...args: string[]): Promise<Record<string, string>> {
  const { schedules } = await scratch.json<{ schedules: { schedule: string; done: string }[] }>('schedule', 'apply', ...args);
  return Object.fromEntries(schedules.map(({ schedule, done }) => [schedule, done]));
}

async function listed(name: string): Promise<ScheduleRow | undefined> {
  const { schedules } = await scratch.json<{ schedules: ScheduleRow[] }>('schedule', 'list');
  return schedules.find(({ schedule }) => schedule === name);
}

test('apply is idempotent, and the plain CLI shows the main job’s 07:30 from Monday to Friday', async () => {
  expect(await applied()).toMatchObject({ daily_quant_pipeline: 'created', tick: 'created' });
  expect(await applied()).toMatchObject({ daily_quant_pipeline: 'unchanged', tick: 'unchanged' });
  const list = await until('the list has it', async () => {
    const { out } = await scratch.temporal('schedule', 'list', '--address', address, '-o', 'json');
    return out.includes('daily_quant_pipeline') && out;
  });
  expect(list).toContain('tick');
  const shown = await scratch.temporal('schedule', 'describe', '-s', 'daily_quant_pipeline', '--address', address, '-o', 'json');
  const { schedule } = readJson<{ schedule: { spec: { structuredCalendar: Record<string, object[]>[] } } }>(shown);
  expect(schedule.spec.structuredCalendar).toMatchObject([
    { hour: [{ start: 7 }], minute: [{ start: 30 }], dayOfWeek: [{ start: 1, end: 5 }] },
  ]);
});

test('apply keeps an operator’s pause', async () => {
  await applied('pipelines/tick.yaml');
  expect(await scratch.ask('schedule', 'pause', 'tick', '--reason', 'holiday')).toMatchObject({ code: 0 });
  expect(await applied('pipelines/tick.yaml')).toEqual({ tick: 'unchanged' });
  await until('it is shown as paused', async () => (await listed('tick'))?.paused);
  expect(await scratch.ask('schedule', 'unpause', 'tick')).toMatchObject({ code: 0 });
  await until('it is shown as active', async () => (await listed('tick'))?.paused === false);
});

test('a triggered run goes through', async () => {
  await applied('pipelines/tick.yaml');
  expect(await scratch.ask('schedule', 'trigger', 'tick')).toMatchObject({ code: 0 });
  await until('the step ran', () => scratch.lines('ticks').length === 1);
  const run = await until('the schedule tells of the run', async () => (await listed('tick'))?.lastRun);
  await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
  const elsewhere = await installation('reader').ask('show', run, 'tick', '--json');
  expect([elsewhere.code, readJson(elsewhere)]).toMatchObject([
    1,
    { error: { code: 'state.elsewhere', hint: expect.stringContaining('--state-dir') } },
  ]);
});

test('another installation changes nothing of it, and prunes nothing', async () => {
  await applied('pipelines/tick.yaml');
  const other = installation('other');
  const empty = await other.ask('schedule', 'apply', '--prune', '--all', '--json');
  expect([empty.code, readJson(empty)]).toMatchObject([2, { error: { message: expect.stringContaining('--prune deletes nothing') } }]);
  other.write('pipelines/by-hand.yaml', "name: by_hand\nsteps: [{id: a, run: 'true'}]\n");
  expect(await other.json('schedule', 'apply', '--prune', '--all')).toEqual({ schedules: [] });
  other.write('pipelines/tick.yaml', 'name: tick\ntrigger: cron "5 5 5 5 *"\nsteps: [{id: a, run: \'true\'}]\n');
  other.write('pipelines/also.yaml', 'name: also\ntrigger: cron "5 5 5 5 *"\nsteps: [{id: a, run: \'true\'}]\n');
  for (const command of [
    ['apply'],
    ['apply', '--dry-run'],
    ['pause', 'tick'],
    ['unpause', 'tick'],
    ['trigger', 'tick'],
    ['delete', 'tick'],
  ]) {
    const refused = await other.ask('schedule', ...command, '--json');
    expect([command, refused.code, readJson(refused)]).toMatchObject([command, 1, { error: { code: 'schedule.not-ours' } }]);
  }
  expect(await applied('pipelines/tick.yaml')).toEqual({ tick: 'unchanged' });
  // If one is refused, none of the others is made.
  const preview = await other.json<{ schedules: object[] }>('schedule', 'apply', '--take-over', '--dry-run');
  expect(preview).toEqual({
    dryRun: true,
    schedules: [
      { schedule: 'also', paused: false, would: 'created' },
      { schedule: 'tick', paused: false, would: 'taken-over' },
    ],
  });
});

test('what no pipeline wants any more is pruned, and all of it only with --all', async () => {
  const folder = installation('third');
  for (const name of ['one', 'two'])
    folder.write(`pipelines/${name}.yaml`, `name: ${name}\ntrigger: cron "0 0 1 1 *"\nsteps: [{id: a, run: 'true'}]\n`);
  expect(await folder.json('schedule', 'apply')).toMatchObject({ schedules: [{ done: 'created' }, { done: 'created' }] });
  for (const name of ['one', 'two']) folder.write(`pipelines/${name}.yaml`, `name: ${name}\nsteps: [{id: a, run: 'true'}]\n`);
  const listed = await until('the list has both', async () => {
    const found = await folder.ask('schedule', 'apply', '--prune', '--json');
    return found.out.includes('one, two') && found;
  });
  expect([listed.code, readJson(listed)]).toMatchObject([2, { error: { message: expect.stringContaining('would delete all') } }]);
  expect(await folder.json('schedule', 'apply', '--prune', '--all', '--dry-run')).toMatchObject({
    dryRun: true,
    schedules: [
      { schedule: 'one', would: 'deleted' },
      { schedule: 'two', would: 'deleted' },
    ],
  });
  const pruned = await folder.ask('schedule', 'apply', '--prune', '--all');
  expect([pruned.code, pruned.out, pruned.err]).toEqual([0, 'one  deleted\ntwo  deleted\n', expect.stringContaining('deletes one, two')]);
});

test('a trigger that no schedule has, or has otherwise, shows in every command that looks, and the next run is on its zone’s clock', async () => {
  const folder = installation('fourth');
  const write = (hour: number): string =>
    folder.write(
      'pipelines/zoned.yaml',
      `name: zoned\ntrigger: {cron: "30 ${hour} 1 1 *", timezone: Asia/Tokyo}\nsteps: [{id: a, run: 'true'}]\n`,
    );
  write(7);
  const told = async (): Promise<string[]> => {
    const shown = await folder.ask('schedule', 'list');
    const checked = await folder.ask('doctor');
    const valid = await folder.ask('validate', 'pipelines/zoned.yaml');
    expect(valid.code).toBe(0);
    return [shown.err, checked.out, valid.err];
  };
  for (const text of await told()) expect(text).toContain('the trigger of zoned is not applied');
  await folder.json('schedule', 'apply');
  const { out } = await until('the list has it', async () => {
    const found = await folder.ask('schedule', 'list');
    return found.out.includes('zoned') && found;
  });
  expect(out).toMatch(/zoned .*-01-01 07:30:00 +Asia\/Tokyo +here/);
  for (const text of await told()) expect(text).not.toContain('the trigger of zoned');
  write(8);
  for (const text of await told()) expect(text).toContain('the trigger of zoned differs from its schedule');
  expect(await folder.json('validate', 'pipelines/zoned.yaml')).toMatchObject({ ok: true, files: [{ trigger: 'differs' }] });
  folder.write('pipelines/other.yaml', `name: other\ntrigger: cron "0 0 1 1 *"\nsteps: [{id: a, run: 'true'}]\n`);
  const up = folder.thermidor('up', '--no-callbacks');
  await up.until('it serves', () => up.out.includes('server'));
  expect(up.err).toMatch(/the trigger of other is not applied.*\n.*the trigger of zoned differs from its schedule.*\n.*schedule apply/);
  up.signal('SIGTERM');
  expect(await up.finished).toMatchObject({ code: 0 });
});

test('validate asks no server that does not run, and starts none', async () => {
  const alone = scratch.within('alone');
  alone.write('thermidor.yaml', 'address: 127.0.0.1:9\nstate_dir: state\n');
  alone.write('pipelines/one.yaml', 'name: one\ntrigger: cron "0 0 1 1 *"\nsteps: [{id: a, run: \'true\'}]\n');
  const { code, err } = await alone.askWith({ TEMPORAL_ADDRESS: '' }, 'validate', 'pipelines/one.yaml');
  expect([code, err]).toEqual([0, '']);
  expect(existsSync(alone.path('state'))).toBe(false);
});

test('a schedule that is not there is refused by name', async () => {
  const refused = await scratch.ask('schedule', 'trigger', 'tock', '--json');
  expect(refused.code).toBe(1);
  expect(readJson(refused)).toMatchObject({ error: { code: 'schedule.not-found', message: expect.stringContaining('tock') } });
});
