/** A day, and a time of it, in a time zone that the text does not name. */
const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?$/;
/** The text says by which clock it is. */
const OFFSET = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i;
const DAY_MS = 86_400_000;

/**
 * The moment that a text names, in milliseconds since 1970; undefined if it names none. Without an offset it is in the given zone, and a
 * day alone is its midnight. A time that the clock skips in spring is moved by as much as the clock (02:30 is 03:30); one that occurs twice
 * in autumn is the first of both.
 */
export function readMoment(text: string, timeZone: string): number | undefined {
  const written = text.trim();
  const local = LOCAL.exec(written);
  const ms = local ? byClock(local, timeZone) : OFFSET.test(written) ? Date.parse(written) : Number.NaN;
  return ms === undefined || Number.isNaN(ms) ? undefined : ms;
}

function byClock([, ...parts]: RegExpExecArray, timeZone: string): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map((part) => Number(part ?? 0));
  if (hour > 24 || minute > 59 || second > 59 || (hour === 24 && minute + second > 0)) return undefined;
  const read = new Date(0);
  read.setUTCFullYear(year, month - 1, day);
  if (read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day) return undefined;
  const shown = read.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + Math.floor(Number(`0.${parts[6] ?? 0}`) * 1000);
  // A clock that is put forward or back has one of these two offsets at the moment, and before or after it the other.
  const offsetAt = offsetsIn(timeZone);
  const [before, after] = [shown - DAY_MS, shown + DAY_MS].map((at) => shown - offsetAt(at));
  const found = [before ?? shown, after ?? shown].filter((at) => at + offsetAt(at) === shown);
  return found.length > 0 ? Math.min(...found) : before;
}

/** How far the clock of a zone is before UTC at a moment, in milliseconds. */
export function offsetsIn(timeZone: string): (at: number) => number {
  const clock = clockOf(timeZone);
  return (at) => {
    const fields = new Map(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const field = (type: Intl.DateTimeFormatPartTypes): number => fields.get(type) ?? 0;
    const shown = new Date(0);
    shown.setUTCFullYear(field('year'), field('month') - 1, field('day'));
    shown.setUTCHours(field('hour'), field('minute'), field('second'));
    return shown.getTime() - Math.floor(at / 1000) * 1000;
  };
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const number = 'numeric';
  return new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, year: number, month: number, day: number, hour: number, minute: number, second: number, hourCycle: 'h23' },
  });
}
