import { cronMoments, readCron } from '../../plan/text/cron-moments';

/** What a Temporal server has is held by test/durability/clock-changes.test.ts; these are its answers. */
const moments = (timeZone: string, ...expressions: string[]) =>
  cronMoments(
    expressions.map(readCron).filter((cron) => cron !== undefined),
    timeZone,
  );

function between(timeZone: string, expression: string, from: string, to: string): string[] {
  const found: string[] = [];
  const { after } = moments(timeZone, expression);
  for (let at = after(Date.parse(from)); at !== undefined && at <= Date.parse(to); at = after(at))
    found.push(new Date(at).toISOString().slice(5, 16));
  return found;
}

describe('a night on which the clock changes', () => {
  it.each([
    [
      'has no 02:30 in spring',
      'Europe/Zurich',
      '30 2 * * *',
      '2026-03-28T00:00:00Z',
      '2026-03-30T12:00:00Z',
      ['03-28T01:30', '03-30T00:30'],
    ],
    ['has one 02:30 in autumn, the second', 'Europe/Zurich', '30 2 * * *', '2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z', ['10-25T01:30']],
    [
      'has 01:30 and an hour later again, east of Greenwich',
      'Europe/Zurich',
      '30 1 * * *',
      '2026-10-24T12:00:00Z',
      '2026-10-25T12:00:00Z',
      ['10-24T23:30', '10-25T00:30'],
    ],
    [
      'has 01:30 twice in New York',
      'America/New_York',
      '30 1 * * *',
      '2026-11-01T00:00:00Z',
      '2026-11-02T00:00:00Z',
      ['11-01T05:30', '11-01T06:30'],
    ],
    [
      'leaves quarters of hours out, east of Greenwich',
      'Europe/Zurich',
      '*/15 * * * *',
      '2026-10-25T00:00:00Z',
      '2026-10-25T02:30:00Z',
      ['10-25T01:15', '10-25T02:30'],
    ],
    [
      'is passed over by a Sunday that begins at 01:00',
      'America/Santiago',
      '15 1 * * SUN',
      '2026-09-05T00:00:00Z',
      '2026-09-07T00:00:00Z',
      [],
    ],
  ])('%s', (_, timeZone, expression, from, to, expected) => {
    expect(between(timeZone, expression, from, to)).toEqual(expected);
  });
});

describe('the moment before', () => {
  it.each([
    ['is the last weekday’s', 'Europe/Zurich', ['30 7 * * 1-5'], '2026-11-30T06:30:00Z', '2026-11-27T06:30:00.000Z'],
    ['is the later one of several expressions', 'UTC', ['0 7 * * *', '0 19 * * *'], '2026-11-30T07:00:00Z', '2026-11-29T19:00:00.000Z'],
    ['may be four years ago', 'UTC', ['0 9 29 2 *'], '2026-11-29T10:00:00Z', '2024-02-29T09:00:00.000Z'],
    [
      'is 24 hours before the night on which the hour comes twice',
      'Europe/Zurich',
      ['30 2 * * *'],
      '2026-10-25T01:30:00Z',
      '2026-10-24T00:30:00.000Z',
    ],
    ['skips a night without it', 'Europe/Zurich', ['30 2 * * *'], '2026-03-30T00:30:00Z', '2026-03-28T01:30:00.000Z'],
  ])('%s', (_, timeZone, expressions, at, expected) => {
    const before = moments(timeZone, ...expressions).before(Date.parse(at));
    expect(before !== undefined && new Date(before).toISOString()).toBe(expected);
  });

  it('is none of a date that no year has', () => {
    const { before, after } = moments('UTC', '0 0 30 2 *');
    expect([before(Date.UTC(2026, 1, 1)), after(Date.UTC(2026, 1, 1))]).toEqual([undefined, undefined]);
  });
});

test('an expression that the compiler refuses is read as none', () => {
  expect(['0 0 * *', '61 * * * *', 'a b c d e', '0 0 * * 8', '*/0 * * * *'].map(readCron)).toEqual(Array(5).fill(undefined));
});
