/** Lower-case letters and digits without those that are mistaken for one another (0 o, 1 l i). */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const SUFFIX_LENGTH = 6;

/**
 * `<pipeline>-<yyyymmdd>-<6 characters>`, the date in UTC.
 *
 * @param randomBelow a whole number from 0 up to and not including its argument
 */
export function newRunId(pipeline: string, at: Date, randomBelow: (limit: number) => number): string {
  const day = at.toISOString().slice(0, 10).replaceAll('-', '');
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET[randomBelow(ALPHABET.length)]).join('');
  return `${pipeline}-${day}-${suffix}`;
}

/** Whether text can be the last part of a run's id. Ids given by hand may use any letter or digit. */
export function isRunSuffix(text: string): boolean {
  return /^[a-z0-9]{6}$/.test(text);
}
