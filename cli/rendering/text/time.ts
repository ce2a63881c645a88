import { duration } from '../../../plan/text/duration';
import { isTimezone } from '../../../plan/text/timezone';

/** The time between two ISO times; until `now` if it has not ended, empty if it has not begun. */
export function elapsed(from: string | undefined, to: string | undefined, now: number): string {
  if (from === undefined) return '';
  const end = to === undefined ? now : Date.parse(to);
  return duration(end - Date.parse(from));
}

/** `2026-11-21 07:30:05` in a time zone; in UTC if the zone is unknown. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(iso)}`;
}

/** `2026-11-21 07:30:05`, on the clock of a time zone; in UTC if nobody knows the zone. */
export function timeIn(iso: string, timezone: string): string {
  const timeZone = isTimezone(timezone) ? timezone : 'UTC';
  // Sweden writes a date as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(new Date(iso));
}

/** `07:30:05` */
export function clock(iso: string): string {
  const at = new Date(iso);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
