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
  ({ address } = scratch.place);
  scratch.write(
    'pipelines/tick.yaml',
    `name: tick\ntrigger: cron "0 0 1 1 *"\nsteps:\n  - id: tick\n    run: "echo tick >> '${scratch.path('ticks')}'"\n`,
  );
  await scratch.follow('up').untilLine(/server/);
}, SET_UP_MS);
afterAll(() => scratch.close());

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
});

test('a schedule that is not there is refused by name', async () => {
  const refused = await scratch.ask('schedule', 'trigger', 'tock', '--json');
  expect(refused.code).toBe(1);
  expect(readJson(refused)).toMatchObject({ error: { code: 'schedule.not-found', message: expect.stringContaining('tock') } });
});
