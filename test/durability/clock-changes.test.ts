import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { cronMoments, readCron } from '../../plan/text/cron-moments';
import { Scratch, SET_UP_MS } from './support/scratch';

/**
 * The moments that we find by ourselves are those of the server, on the nights on which a clock changes too; and what docs/schedules.md
 * says
 * of these nights is what the server does.
 */
let scratch: Scratch;
let connection: Connection;
let temporal: Client;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  connection = await Connection.connect({ address: scratch.place.address });
  temporal = new Client({ connection });
}, SET_UP_MS);
afterAll(async () => {
  await connection.close();
  await scratch.close();
});

const CRONS = ['30 2 * * *', '30 1 * * *', '30 * * * *', '*/15 * * * *', '0 3 * * 0', '15,45 1,2 * * SUN', '0 7 * * MON-FRI'];
const NIGHTS: Readonly<Record<string, readonly string[]>> = {
  'Europe/Zurich': ['2026-03-29', '2026-10-25'],
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'Australia/Sydney': ['2026-10-04', '2026-04-05'],
  'America/Santiago': ['2026-09-06', '2026-04-05'],
};
const DAY_MS = 86_400_000;

async function ofServer(scheduleId: string, fromMs: number, toMs: number): Promise<number[]> {
  const { startTime } = await connection.workflowService.listScheduleMatchingTimes({
    ...{ namespace: 'default', scheduleId, startTime: msToTs(fromMs), endTime: msToTs(toMs) },
  });
  return startTime.map(({ seconds }) => Number(seconds) * 1000);
}

async function asked(timezone: string, cron: string): Promise<string> {
  const scheduleId = `clock-${timezone}-${cron}`.replace(/\W+/g, '-');
  await temporal.schedule.create({
    ...{ scheduleId, spec: { cronExpressions: [cron], timezone }, state: { paused: true } },
    action: { type: 'startWorkflow', workflowType: 'none', taskQueue: 'none', args: [] },
  });
  return scheduleId;
}

const texts = (moments: readonly number[]): string[] => moments.map((at) => new Date(at).toISOString().slice(5, 16));

test.each(Object.entries(NIGHTS))('the server has the same moments and the same order in %s', async (timezone, nights) => {
  for (const cron of CRONS) {
    const scheduleId = await asked(timezone, cron);
    const fields = readCron(cron);
    const { after, before } = cronMoments(fields ? [fields] : [], timezone);
    for (const night of nights) {
      const [fromMs, toMs] = [Date.parse(night) - 2 * DAY_MS, Date.parse(night) + 2 * DAY_MS];
      const theirs = await ofServer(scheduleId, fromMs, toMs);
      const ours: number[] = [];
      for (let at = after(fromMs); at !== undefined && at <= toMs; at = after(at)) ours.push(at);
      expect([cron, night, texts(ours)]).toEqual([cron, night, texts(theirs)]);
      const earlier = theirs.slice(1).map((at) => before(at) ?? 0);
      expect([cron, night, texts(earlier)]).toEqual([cron, night, texts(theirs.slice(0, -1))]);
    }
  }
});

/** Each row of the page's table, in UTC, of the night and the hours around it. */
const PAGE: readonly [string, string, string, readonly string[]][] = [
  ['Europe/Zurich', '30 2 * * *', '2026-03-29', []],
  ['America/New_York', '30 2 * * *', '2026-03-08', []],
  ['Australia/Sydney', '30 2 * * *', '2026-10-03', []],
  ['Europe/Zurich', '30 2 * * *', '2026-10-25', ['10-25T01:30']],
  ['America/New_York', '30 2 * * *', '2026-11-01', ['11-01T07:30']],
  ['Australia/Sydney', '30 2 * * *', '2026-04-04', ['04-04T16:30']],
  ['Europe/Zurich', '30 1 * * *', '2026-10-25', ['10-24T23:30', '10-25T00:30']],
  ['America/New_York', '30 1 * * *', '2026-11-01', ['11-01T05:30', '11-01T06:30']],
  ['Australia/Sydney', '30 1 * * *', '2026-04-04', ['04-04T14:30', '04-04T15:30']],
];

test.each(PAGE)('what the page says of %s, %s and %s is so', async (timezone, cron, day, expected) => {
  const scheduleId = `clock-${timezone}-${cron}`.replace(/\W+/g, '-');
  const { after } = cronMoments(
    [readCron(cron)].filter((one) => one !== undefined),
    timezone,
  );
  const [fromMs, toMs] = timezone === 'Australia/Sydney' ? [12, 24] : timezone === 'Europe/Zurich' ? [-6, 6] : [2, 14];
  const [first, last] = [Date.parse(day) + fromMs * 3_600_000, Date.parse(day) + toMs * 3_600_000];
  expect(texts(await ofServer(scheduleId, first, last))).toEqual(expected);
  const next = after(first);
  expect(next !== undefined && next <= last ? texts([next]) : []).toEqual(expected.slice(0, 1));
});
