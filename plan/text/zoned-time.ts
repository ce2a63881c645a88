/** A moment by the clock of a time zone. */
export interface ZonedTime {
  /** `2026-11-23` */
  day: string;
  /** `Monday` */
  weekday: string;
  /** `07:30` */
  time: string;
}

export function zonedTime(at: Date, timeZone: string): ZonedTime {
  const found = new Map(
    clockOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => found.get(type) ?? '';
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: part('weekday'),
    time: `${part('hour')}:${part('minute')}`,
  };
}

/** `2026-11-23 07:30 Europe/London`. A text that is no moment stays unchanged. */
export function zonedText(at: string, timeZone = 'UTC'): string {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  const { day, time } = zonedTime(moment, timeZone);
  return `${day} ${time} ${timeZone}`;
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const two = '2-digit';
  return new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, year: 'numeric', month: two, day: two, weekday: 'long', hour: two, minute: two, hourCycle: 'h23' },
  });
}
