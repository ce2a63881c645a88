import { RESULT_CHARACTERS } from '../truncate-result';

/** The arguments that choose the page of a text. */
export const PAGE_PARAMETERS = {
  offset: { type: 'integer', minimum: 0, description: 'how many characters to skip at the beginning' },
  limit: { type: 'integer', minimum: 1, maximum: RESULT_CHARACTERS, description: 'how many characters to show' },
};

/** A page of a text, with a note on its position and where to continue. Counted in characters; none is halved. */
export function pageOf(
  text: string,
  { offset = 0, limit = RESULT_CHARACTERS }: { offset?: number | undefined; limit?: number | undefined },
): string {
  if (text === '') return '[it is empty]';
  if (offset >= text.length) return `[it has ${text.length} characters; offset ${offset} is beyond its end]`;
  const first = isHalf(text, offset) ? offset - 1 : offset;
  const end = Math.min(text.length, first + Math.min(limit, RESULT_CHARACTERS));
  const last = isHalf(text, end) ? end + 1 : end;
  if (first === 0 && last === text.length) return text;
  const more = last < text.length ? `; continue with offset ${last}` : '; this is the end';
  return `${text.slice(first, last)}\n[characters ${first} to ${last} of ${text.length}${more}]`;
}

/** Whether a character of two units lies across the place. */
function isHalf(text: string, at: number): boolean {
  return at > 0 && at < text.length && /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
}
