import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** `schedule backfill` on a real server: which moments get a run, and that none gets two. */
interface Backfilled {
  starts: string[];
  waiting: string[];
  had: number;
}

let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  for (const [name, more] of [
    ['fill', ''],
    ['jittered', ', jitter: 20m'],
    ['twins', ', overlap: allow_all'],
  ])
    scratch.write(
      `pipelines/${name}.yaml`,
      `name: ${name}\ntrigger: {cron: "30 7 * * 1-5", timezone: Europe/Zurich${more}}\nsteps: [{id: at, run: "echo \${run.scheduled_before} \${run.scheduled_at}"}]\n`,
    );
  await scratch.follow('up').untilLine(/server/);
  await scratch.json('schedule', 'apply');
}, SET_UP_MS);
afterAll(() => scratch.close());

const WEEK = ['--from', '2026-10-19', '--to', '2026-10-25'];
const MOMENTS = ['19', '20', '21', '22', '23'].map((day) => `2026-10-${day}T05:30:00.000Z`);
const fill = (name: string, ...more: string[]): Promise<Backfilled> => scratch.json('schedule', 'backfill', name, ...more);

/** Ids of all runs of a schedule, each as often as it was started. */
async function runsOf(name: string): Promise<string[]> {
  const { out } = await scratch.temporal('workflow', 'list', '--address', scratch.place.address, '--limit', '500', '-o', 'jsonl');
  const ids = out
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { execution: { workflowId: string } }).execution.workflowId]));
  return ids.filter((id) => id.startsWith(`${name}-2026-`)).sort();
}

test.each(['fill', 'jittered', 'twins'])(
  'each moment without a run gets one, and no more, of two backfills at once and later: %s',
  async (name) => {
    expect(await fill(name, ...WEEK, '--dry-run')).toMatchObject({ starts: MOMENTS, had: 0 });
    expect(await runsOf(name)).toEqual([]);
    const both = await Promise.all([fill(name, ...WEEK), fill(name, ...WEEK)]);
    expect(both.map(({ starts }) => starts.length).sort()).toEqual([0, 5]);
    const ids = MOMENTS.map((at) => `${name}-${at.replace('.000', '')}`);
    await until('all of them have begun', async () => (await runsOf(name)).length >= 5);
    await until('they are found', async () => (await fill(name, ...WEEK)).had === 5);
    expect(await fill(name, ...WEEK)).toMatchObject({ starts: [], waiting: [], had: 5 });
    expect(await fill(name, '--from', '2026-10-22T07:30', '--to', '2026-10-26T07:30')).toMatchObject({
      starts: ['2026-10-26T06:30:00.000Z'],
      had: 2,
    });
    await until('the last one has begun', async () => (await runsOf(name)).length >= 6);
    expect(await runsOf(name)).toEqual([...ids, `${name}-2026-10-26T06:30:00Z`]);
  },
);

test('a run has its moment and the one before, over a weekend and the change of the clock', async () => {
  await fill('fill', '--from', '2026-10-26', '--to', '2026-10-26');
  const shown = await until('it is done', async () => {
    const found = await scratch.ask('show', 'fill-2026-10-26T06:30:00Z', 'at');
    return found.out.includes('06:30:00.000Z') && found.out;
  });
  expect(shown).toContain('2026-10-23T05:30:00.000Z 2026-10-26T06:30:00.000Z');
});

test.each<[string, string[], number, string]>([
  ['nothing is named', [], 2, 'needs --from'],
  ['a moment is none', ['--from', 'monday'], 2, '--from "monday"'],
  ['the end is before the beginning', ['--from', '2026-10-20', '--to', '2026-10-19'], 2, 'later than --to'],
  ['it begins in the future', ['--from', '2199-01-01'], 2, 'in the future'],
  ['there are too many', ['--from', '2024-01-01', '--to', '2026-10-01'], 1, 'more than 500'],
])('is refused if %s', async (_, args, code, text) => {
  const refused = await scratch.ask('schedule', 'backfill', 'fill', ...args, '--json');
  expect([refused.code, readJson<{ error: { message: string } }>(refused).error.message]).toEqual([code, expect.stringContaining(text)]);
});

test('what the server has not missed is no missed run, and a schedule of others is theirs', async () => {
  expect(await fill('fill', '--missed')).toMatchObject({ starts: [] });
  const other = scratch.within('other');
  other.write('thermidor.yaml', 'state_dir: state\n');
  const refused = await other.ask('schedule', 'backfill', 'fill', ...WEEK, '--json');
  expect([refused.code, readJson(refused)]).toMatchObject([1, { error: { code: 'schedule.not-ours' } }]);
  const absent = await scratch.ask('schedule', 'backfill', 'absent', '--missed', '--json');
  expect([absent.code, readJson(absent)]).toMatchObject([1, { error: { code: 'schedule.not-found' } }]);
});
