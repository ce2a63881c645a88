import { readMoment } from '../../plan/text/moment';

const at = (text: string, zone = 'UTC'): string | undefined => {
  const ms = readMoment(text, zone);
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

test.each<[text: string, zone: string, moment: string]>([
  ['2026-11-23T10:00', 'UTC', '2026-11-23T10:00:00.000Z'],
  ['2026-11-23T10:00', 'Europe/Berlin', '2026-11-23T09:00:00.000Z'],
  ['2026-07-23T10:00', 'Europe/Berlin', '2026-07-23T08:00:00.000Z'],
  ['2026-11-23 10:00:30.5', 'America/New_York', '2026-11-23T15:00:30.500Z'],
  ['2026-11-23', 'Asia/Kolkata', '2026-11-22T18:30:00.000Z'],
  ['2026-11-23T24:00', 'UTC', '2026-11-24T00:00:00.000Z'],
  [' 2026-11-23T10:00 ', 'UTC', '2026-11-23T10:00:00.000Z'],
  ['1900-01-01T00:00', 'UTC', '1900-01-01T00:00:00.000Z'],
])('%s by the clock of %s', (text, zone, moment) => {
  expect(at(text, zone)).toBe(moment);
});

test.each<[what: string, text: string, zone: string, moment: string]>([
  ['a time that is left out is as much later', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['its first moment', '2026-03-29T02:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['the moment before', '2026-03-29T01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59.000Z'],
  ['the moment behind', '2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['a time that comes twice is the first', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['behind it', '2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ['west of UTC, left out', '2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['west of UTC, twice', '2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['by half an hour', '2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
  ['a day that an island has left out', '2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
])('where clocks change, %s', (_, text, zone, moment) => {
  expect(at(text, zone)).toBe(moment);
});

test.each([
  ['2026-11-23T10:00Z', '2026-11-23T10:00:00.000Z'],
  ['2026-11-23T10:00:00+05:30', '2026-11-23T04:30:00.000Z'],
  ['Mon, 23 Nov 2026 10:00:00 GMT', '2026-11-23T10:00:00.000Z'],
])('%s is by the clock that it names, whatever the zone', (text, moment) => {
  expect([at(text, 'Europe/Berlin'), at(text, 'Asia/Tokyo')]).toEqual([moment, moment]);
});

test.each(['2026-02-30T10:00', '2026-13-01', '2026-11-23T25:00', '2026-11-23T10:60', '2026-11-23T24:01', 'Nov 23, 2026 10:00', 'soon', ''])(
  '%j is no moment',
  (text) => {
    expect(at(text, 'Europe/Berlin')).toBeUndefined();
  },
);
