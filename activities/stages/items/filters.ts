import { beginning } from '../../../plan/text/shortened';
import { coerced, type Item, joinedItems } from './item';

/** A filter of `{{path | filter …}}` in a template. Its words are literal texts. */
type Filter = (value: Item, ...words: (string | undefined)[]) => Item;

const TRUNCATED_LENGTH = 80;

export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['upper', (value) => text(value).toUpperCase()],
  ['lower', (value) => text(value).toLowerCase()],
  ['trim', (value) => text(value).trim()],
  ['truncate', (value, length) => truncate(text(value), wholeNumber(length) ?? TRUNCATED_LENGTH)],
  // `$&` and its like in the replacement are JavaScript's, as in Lobster.
  ['replace', (value, from = '', to = '') => text(value).replaceAll(from, to)],
  ['split', (value, separator = ',') => text(value).split(separator)],
  ['first', (value) => (Array.isArray(value) ? value[0] : value)],
  ['last', (value) => (Array.isArray(value) ? value.at(-1) : value)],
  ['length', (value) => (Array.isArray(value) || typeof value === 'string' ? value.length : 0)],
  ['join', (value, separator = ', ') => (Array.isArray(value) ? joinedItems(value, separator) : text(value))],
  ['json', (value) => JSON.stringify(value, null, 2)],
  ['string', (value) => text(value)],
  ['default', (value, other) => (value === undefined || value === null || value === '' ? other : value)],
  ['round', (value, digits) => round(value, wholeNumber(digits) ?? 0)],
  ['date', (value, format) => date(value, format)],
]);

function text(value: Item): string {
  return value === undefined || value === null ? '' : coerced(value);
}

function wholeNumber(word: string | undefined): number | undefined {
  const number = Number.parseInt(word ?? '', 10);
  return Number.isNaN(number) ? undefined : number;
}

function truncate(whole: string, length: number): string {
  return whole.length > length ? `${beginning(whole, length)}...` : whole;
}

/** A value that is no number stays unchanged. */
function round(value: Item, digits: number): Item {
  const number = typeof value === 'object' && value !== null ? Number(coerced(value)) : Number(value);
  return Number.isNaN(number) ? value : Number(number.toFixed(Math.min(Math.max(digits, 0), 100)));
}

/** Milliseconds since the epoch, or any date text; without a format, ISO 8601. In UTC. A text that is no date stays unchanged. */
function date(value: Item, format: string | undefined): string {
  const written = coerced(value);
  const moment = new Date(/^\s*\d+\s*$/.test(written) || typeof value === 'number' ? Number(written) : written);
  if (Number.isNaN(moment.getTime())) return written;
  if (!format) return moment.toISOString();
  const two = (part: number) => String(part).padStart(2, '0');
  const parts = {
    YYYY: String(moment.getUTCFullYear()),
    MM: two(moment.getUTCMonth() + 1),
    DD: two(moment.getUTCDate()),
    HH: two(moment.getUTCHours()),
    mm: two(moment.getUTCMinutes()),
    ss: two(moment.getUTCSeconds()),
  };
  return Object.entries(parts).reduce((text, [name, part]) => text.replace(name, part), format);
}
