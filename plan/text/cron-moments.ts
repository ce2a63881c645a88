import { offsetsIn } from './moment';

/** The numbers that each field of a cron expression takes. Sunday is 0. */
export interface CronFields {
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  weekdays: ReadonlySet<number>;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const SHORTHANDS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** An expression that the compiler takes; undefined for any other. */
export function readCron(expression: string): CronFields | undefined {
  const [minute, hour, day, month, weekday, ...more] = (SHORTHANDS[expression.trim()] ?? expression.trim()).split(/\s+/);
  const found = [
    numbersIn(minute, 0, 59),
    numbersIn(hour, 0, 23),
    numbersIn(day, 1, 31),
    numbersIn(month, 1, 12, MONTHS, 1),
    numbersIn(weekday, 0, 7, WEEKDAYS),
  ];
  const [minutes, hours, days, months, weekdays] = found;
  if (more.length > 0 || !minutes || !hours || !days || !months || !weekdays) return undefined;
  return { minutes, hours, days, months, weekdays: new Set([...weekdays].map((one) => one % 7)) };
}

function numbersIn(field: string | undefined, least: number, most: number, names: string[] = [], first = 0): Set<number> | undefined {
  const numbers = new Set<number>();
  for (const part of field?.split(',') ?? []) {
    const [, from = '', to, by] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(part) ?? [];
    const named = (text: string): number => (/^\d+$/.test(text) ? Number(text) : first + names.indexOf(text.slice(0, 3).toLowerCase()));
    const start = from === '*' ? least : named(from);
    const end = to !== undefined ? named(to) : from === '*' || by !== undefined ? most : start;
    const step = Number(by ?? 1);
    if (from === '' || start < least || end > most || step < 1) return undefined;
    for (let one = start; one <= end; one += step) numbers.add(one);
  }
  return numbers.size === 0 ? undefined : numbers;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Some years have no 29 February, and 2100 is such a year: 8 years may lie between two of them. */
const LONGEST_MS = 9 * 366 * DAY_MS;

/** A schedule's moments, in milliseconds since 1970, as a Temporal server has them. */
export interface CronMoments {
  /** The first moment after one; undefined if none comes within nine years. */
  after(ms: number): number | undefined;
  /** The last moment before one; undefined if there is none in the nine years before. */
  before(ms: number): number | undefined;
}

export function cronMoments(crons: readonly CronFields[], timeZone: string): CronMoments {
  const walk = new ClockWalk(timeZone);
  const after = (ms: number): number | undefined => {
    const found = crons.flatMap((cron) => walk.next(cron, ms) ?? []);
    return found.length > 0 ? Math.min(...found) : undefined;
  };
  return {
    after,
    before(ms) {
      for (const reachMs of [2 * HOUR_MS, 25 * HOUR_MS, 8 * DAY_MS, 32 * DAY_MS, 367 * DAY_MS, LONGEST_MS]) {
        let found: number | undefined;
        for (let at = after(walk.calmBefore(ms - reachMs)); at !== undefined && at < ms; at = after(at)) found = at;
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/**
 * The next moment of an expression by the clock of a zone, as the server finds it on the nights on which that clock changes too.
 *
 * It goes forward over what the clock shows, minute by minute, and has each place on it be one moment: of an hour that comes twice, the one
 * that `instant` gives. That is the first of both west of Greenwich, and the second one east of it. The other hour is reached only from
 * the hour before, as a second pass through that one (`shiftMs`). docs/schedules.md says what that means for people;
 * test/durability/clock-changes.test.ts holds it to the server.
 */
class ClockWalk {
  private readonly offset: (at: number) => number;

  constructor(timeZone: string) {
    this.offset = offsetsIn(timeZone);
  }

  next(cron: CronFields, afterMs: number): number | undefined {
    const shown = afterMs + this.offset(afterMs);
    let day = Math.floor(shown / DAY_MS) * DAY_MS;
    let hour = this.hourAt(afterMs);
    let minute = Math.floor((shown - day) / MINUTE_MS) - hour * 60;
    let shiftMs = this.hourAt(afterMs - HOUR_MS) === hour ? HOUR_MS : 0;
    let isPast = true;
    const last = day + LONGEST_MS;
    const toHour = (next: number): void => {
      [hour, minute, shiftMs, isPast] = [next, 0, 0, false];
    };
    while (day <= last) {
      if (minute >= 60) {
        const apart = this.instant(day, hour + 1, 0) - this.instant(day, hour, 0);
        const again = shiftMs === 0 && apart > HOUR_MS;
        [hour, minute, shiftMs] = [again ? hour : hour + 1, 0, again ? HOUR_MS : 0];
      }
      if (hour >= 24) [day, hour] = [day + DAY_MS, 0];
      if (!this.isDay(cron, day, hour, minute)) {
        day += DAY_MS;
        toHour(0);
      } else if (!cron.hours.has(hour)) toHour(hour + 1);
      else if (isPast || !cron.minutes.has(minute)) [minute, isPast] = [minute + 1, false];
      else {
        const found = this.instant(day, hour, minute);
        if (this.hourAt(found) === hour) return found + shiftMs;
        // The clock skips this hour.
        [hour, minute] = [hour + 1, 0];
      }
    }
    return undefined;
  }

  /** A moment of which the clock shows what it shows of no other; from there, the way forward is the server's. */
  calmBefore(at: number): number {
    return this.offset(at - 4 * HOUR_MS) === this.offset(at + 4 * HOUR_MS) ? at : at - DAY_MS / 2;
  }

  private hourAt(at: number): number {
    return Math.floor((at + this.offset(at)) / HOUR_MS) % 24;
  }

  private instant(day: number, hour: number, minute: number): number {
    const shown = day + hour * HOUR_MS + minute * MINUTE_MS;
    return shown - this.offset(shown - this.offset(shown));
  }

  /** If the clock skips midnight, the server takes the day's weekday for that of the day before. */
  private isDay({ days, months, weekdays }: CronFields, day: number, hour: number, minute: number): boolean {
    const date = new Date(day);
    if (!months.has(date.getUTCMonth() + 1) || !days.has(date.getUTCDate())) return false;
    if (weekdays.size === 7) return true;
    const at = this.instant(day, hour, minute);
    return weekdays.has(new Date(at + this.offset(at)).getUTCDay());
  }
}
