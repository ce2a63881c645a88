import { inSweep } from '../support/sweep';
import { Scratch } from './support/scratch';
import { until } from './support/until';

/** Long backfills, and a host that sleeps, on real servers. */
interface Shown {
  counts: { started: number; missed: number; skipped: number; dropped: number };
  waiting: number;
}

const FILLED_MS = 1_800_000;
/** Two moments of a schedule that has one each minute are in it, and more than its `catchup` later. */
const SLEPT_MS = 150_000;
const PIPELINES: Readonly<Record<string, string>> = {
  year: '{cron: "30 7 * * 1-5", timezone: Europe/Zurich}',
  week: '{cron: "*/5 * * * *", timezone: UTC, overlap: allow_all}',
  minutely: '{cron: "* * * * *", timezone: UTC, catchup: 10s}',
};

function withPipelines(scratch: Scratch): void {
  for (const [name, trigger] of Object.entries(PIPELINES))
    scratch.write(`pipelines/${name}.yaml`, `name: ${name}\ntrigger: ${trigger}\nsteps: [{id: a, run: 'true'}]\n`);
}

inSweep.test.each([
  ['year', ['--from', '2025-11-01', '--to', '2026-10-31'], 260],
  ['week', ['--from', '2026-11-02', '--to', '2026-11-08', '--limit', '3000'], 2016],
])(
  'a backfill of many moments starts each once: a %s',
  async (name, range, count) => {
    const scratch = await Scratch.onSharedServer();
    withPipelines(scratch);
    await scratch.follow('up').untilLine(/server/);
    await scratch.json('schedule', 'apply', `pipelines/${name}.yaml`);
    const fill = (): Promise<{ starts: string[]; waiting: string[]; had: number }> => scratch.json('schedule', 'backfill', name, ...range);
    expect((await fill()).starts.length).toBe(count);
    await until('none waits', async () => (await fill()).had === count, FILLED_MS);
    expect(await fill()).toMatchObject({ starts: [], waiting: [], had: count });
    const { out } = await scratch.temporal(
      ...['workflow', 'count', '--address', scratch.place.address, '--query', `TemporalScheduledById = '${name}'`],
    );
    // The schedule itself may have started some meanwhile.
    const begun = Number(/\d+/.exec(out)?.[0]);
    expect([begun >= count, begun <= count + FILLED_MS / 300_000 + 1]).toEqual([true, true]);
    await scratch.json('schedule', 'delete', name);
    await scratch.close();
  },
  FILLED_MS + 60_000,
);

inSweep.test(
  'a server that slept longer than catchup counts what it has missed, and a backfill of the missed makes up for it',
  async () => {
    const scratch = await Scratch.make();
    withPipelines(scratch);
    await scratch.follow('up').untilLine(/server/);
    await scratch.json('schedule', 'apply', 'pipelines/minutely.yaml');
    const shown = (): Promise<Shown> => scratch.json('schedule', 'show', 'minutely');
    await until('it has started one', async () => (await shown()).counts.started > 0, 150_000);
    const { pid } = await scratch.server();
    process.kill(pid, 'SIGSTOP');
    const since = Date.now();
    await until('it has slept', () => Date.now() - since > SLEPT_MS, 2 * SLEPT_MS);
    process.kill(pid, 'SIGCONT');
    const missed = await until('it counts them', async () => {
      const { counts } = await shown();
      return counts.missed > 0 && counts.missed;
    });
    const { starts } = await scratch.json<{ starts: string[] }>('schedule', 'backfill', 'minutely', '--missed');
    expect([starts.length > 0, starts.length <= missed]).toEqual([true, true]);
    await until(
      'they have begun',
      async () => (await scratch.json<{ had: number }>('schedule', 'backfill', 'minutely', '--missed')).had > starts.length,
      120_000,
    );
    await scratch.close();
  },
  600_000,
);
