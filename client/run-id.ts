/** Lower-case letters and digits without those that are mistaken for one another (0 o, 1 l i). */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const SUFFIX_LENGTH = 6;

/**
 * `<pipeline>-<yyyymmdd>-<6 characters>`, the date in UTC.
 *
 * @param randomBelow a whole number from 0 up to and not including its argument
 */
export function newRunId(pipeline: string, at: Date, randomBelow: (limit: number) => number): string {
  return `${pipeline}-${dayOf(at).replaceAll('-', '')}-${newSuffix(randomBelow)}`;
}

/** `<yyyy-mm-dd>-<6 characters>`, the date in UTC: for a brief whose file has no id. */
export function newBriefId(at: Date, randomBelow: (limit: number) => number): string {
  return `${dayOf(at)}-${newSuffix(randomBelow)}`;
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function newSuffix(randomBelow: (limit: number) => number): string {
  return Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET[randomBelow(ALPHABET.length)]).join('');
}

/** The end of a scheduled run's id: the moment that its schedule meant. */
const MOMENT = /-(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z)$/;

/** Whether text can be a part of a scheduled run's moment: `07:30`, `2026-11-22`, `11-22T07`. */
export function isMomentPart(text: string): boolean {
  return /^[\d:TZ-]+$/.test(text) && /\d\d[-:T]\d\d|\d\d[T:]|T\d\d/.test(text);
}

/** The moment in a scheduled run's id; undefined of any other id. */
export function momentIn(run: string): string | undefined {
  return MOMENT.exec(run)?.[1];
}

/** Whether text can be the last part of a run's id. Ids given by hand may use any letter or digit. */
export function isRunSuffix(text: string): boolean {
  return /^[a-z0-9]{6}$/.test(text);
}
